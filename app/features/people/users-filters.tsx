import { ROLES } from "#app/contract/access.ts";
import { USER_STATES } from "#app/contract/words/people.ts";
import { SearchForm } from "#app/ui/search-form.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { usersSearch, type UsersSearch } from "./paths.ts";

const all = { value: "all", label: "All" };

/** What the list of users is narrowed to. */
export function UsersFilters({ search }: { search: UsersSearch }) {
  const keep = usersSearch.entries({ ...search, query: "", role: "all", state: "all", page: 1 });
  return (
    <SearchForm keep={keep} value={search.query} placeholder="Search by name or email" label="Search users">
      <FilterSelect
        label="Role"
        name="role"
        value={search.role}
        options={[all, ...ROLES.map((role) => ({ value: role, label: role }))]}
      />
      <FilterSelect
        label="State"
        name="state"
        value={search.state}
        options={[all, ...USER_STATES.map((state) => ({ value: state, label: state }))]}
      />
    </SearchForm>
  );
}
