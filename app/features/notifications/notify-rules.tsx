import { BellRing } from "lucide-react";
import { NO_MESSAGES } from "#app/contract/words/notifications.ts";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import type { NotifyRule } from "./queries.server.ts";

type NotifyRulesProps = {
  rules: readonly NotifyRule[];
  canWrite: boolean;
};

/** Who is told of what, and what came of it; each rule can be tried and removed. */
export function NotifyRules({ rules, canWrite }: NotifyRulesProps) {
  if (rules.length === 0) return <Empty>{NO_MESSAGES}</Empty>;
  return (
    <Table caption="Who is told">
      <TableHead>
        <HeadCell>To</HeadCell>
        <HeadCell>About</HeadCell>
        <HeadCell width="w-28" numeric>
          After failures
        </HeadCell>
        <HeadCell width="w-40" room="wide">
          Messages
        </HeadCell>
        {canWrite ? <HeadCell width="w-52">Actions</HeadCell> : null}
      </TableHead>
      <TableBody>
        {rules.map((rule) => (
          <Row key={rule.id} {...(rule.problem ? { tone: "unhealthy" as const } : {})}>
            <Cell kind="main" wrap>
              {rule.to}
              {rule.problem ? (
                <p className="text-xs text-unhealthy-ink wrap-anywhere">{rule.problem}</p>
              ) : null}
            </Cell>
            <Cell label="About" wrap>
              {rule.check ?? "Every check of the canary"}
            </Cell>
            <Cell label="After failures" numeric>
              {rule.afterFailures}
            </Cell>
            <Cell label="Messages" room="wide">
              {messages(rule)}
            </Cell>
            {canWrite ? (
              <Cell>
                <RuleActions rule={rule} />
              </Cell>
            ) : null}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function RuleActions({ rule: { id, to } }: { rule: NotifyRule }) {
  return (
    <span className="relative flex gap-2">
      <PostForm intent="test">
        <input type="hidden" name="id" value={id} />
        <SubmitButton intent="test" busy="Sending…" look="secondary" icon={<BellRing aria-hidden="true" />}>
          Test
        </SubmitButton>
      </PostForm>
      <PostForm intent="remove">
        <input type="hidden" name="id" value={id} />
        <Button look="quiet" aria-label={`Remove ${to}`}>
          Remove
        </Button>
      </PostForm>
    </span>
  );
}

function messages({ sent, pending, failed }: NotifyRule): string {
  const parts = [`${sent} sent`];
  if (pending > 0) parts.push(`${pending} waiting`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(", ");
}
