import { Form } from "@remix-run/react";
import { DEMO_COMPANY } from "#app/contract/words/demo.ts";
import { Button } from "#app/ui/button.tsx";
import type { FlowView } from "./flow-view.ts";

/** What the sign-in page needs of the demo's people. */
export interface DemoSignIn {
  people: { name: string; email: string; role: string; title: string }[];
  password: string;
}

/** The people of the demo, each with a button that signs in as them: the flow's own form, filled in. */
export function DemoPeople({ demo, flow, action }: { demo: DemoSignIn; flow: FlowView; action: string }) {
  const hidden = flow.fields.filter((field) => field.kind === "hidden");
  return (
    <section aria-labelledby="demo-people" className="mt-4 border-t border-line pt-4">
      <h2 id="demo-people" className="text-sm font-semibold">
        This is the demo: {DEMO_COMPANY}, an invented carrier
      </h2>
      <p className="mt-1 text-xs text-muted">
        Everybody&rsquo;s password is <code>{demo.password}</code>
      </p>
      <ul className="mt-2 grid gap-2">
        {demo.people.map(({ name, email, role, title }) => (
          <li key={email}>
            <Form method="post" action={action} className="flex items-center gap-2">
              {hidden.map(({ name: field, value }) => (
                <input key={field} type="hidden" name={field} value={value} />
              ))}
              <input type="hidden" name="identifier" value={email} />
              <input type="hidden" name="password" value={demo.password} />
              <span className="min-w-0 grow">
                <span className="block truncate text-sm">
                  {name}, {title}
                </span>
                <span className="block truncate text-xs text-muted">{email}</span>
              </span>
              <Button
                type="submit"
                name="method"
                value="password"
                aria-label={`Sign in as ${name}, ${role}`}
                className="w-25"
              >
                {role}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
