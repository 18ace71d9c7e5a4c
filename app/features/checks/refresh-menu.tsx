import { Check, ChevronDown } from "lucide-react";
import { REFRESH_RATES, TIME_RANGES, type RefreshRate } from "#app/contract/words/checks.ts";
import { RefreshLink } from "#app/ui/frame/top-bar.tsx";
import { Menu, MENU_ITEM, MenuHead } from "#app/ui/menu.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { isRateDisabled, rateFor } from "./model.ts";
import { healthPath, listRange, type HealthSearch } from "./paths.ts";

/**
 * Refresh, and how often the page does so by itself (specification 1 §4). The choice is remembered by a POST; what a long
 * time range makes of it is not.
 */
export function RefreshMenu({ search, rate }: { search: HealthSearch; rate: RefreshRate }) {
  const range = listRange(search);
  const now = rateFor(rate, range);
  const label = TIME_RANGES.find(({ value }) => value === range)?.label;
  return (
    <span className="inline-flex items-center">
      <RefreshLink />
      <Menu
        label={`Refresh every: ${now.label}`}
        icon={false}
        trigger={
          <>
            {now.seconds === null ? "Off" : now.value}
            <ChevronDown aria-hidden="true" />
          </>
        }
      >
        <PostForm intent="prefer" action="/preferences">
          <input type="hidden" name="return_to" value={healthPath({ ...search, refresh: "" })} />
          <MenuHead>Refresh every</MenuHead>
          {REFRESH_RATES.map(({ value, label: words }) => (
            <button
              key={value}
              name="refresh"
              value={value}
              disabled={isRateDisabled(value, range)}
              aria-pressed={value === now.value}
              className={`${MENU_ITEM} disabled:cursor-not-allowed disabled:text-faint disabled:hover:bg-transparent aria-pressed:font-medium`}
            >
              {words}
              {value === now.value ? <Check aria-hidden="true" className="ml-auto text-accent-ink" /> : null}
            </button>
          ))}
          {now.value === rate ? null : (
            <MenuHead>
              {REFRESH_RATES.find(({ value }) => value === rate)?.label} is too often for {label}.
            </MenuHead>
          )}
        </PostForm>
      </Menu>
    </span>
  );
}
