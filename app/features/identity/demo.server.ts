import { DEMO_PASSWORD, DEMO_PEOPLE } from "#app/contract/words/demo.ts";
import { env } from "#app/lib/env.server.ts";
import type { DemoSignIn } from "./demo-people.tsx";

/** The people of the demo; null outside it. */
export function demoSignIn(): DemoSignIn | null {
  if (!env().isDemo) return null;
  const people = DEMO_PEOPLE.map(({ first, last, email, role, title }) => ({
    name: `${first} ${last}`,
    email,
    role,
    title,
  }));
  return { people, password: DEMO_PASSWORD };
}
