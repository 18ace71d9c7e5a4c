import { freePort } from "#server/db/ports.ts";
import type { Role } from "#app/contract/access.ts";
import { createPeople, PEOPLE } from "./people.ts";
import { createDatabase, type TestDatabase } from "./postgres.ts";
import { KEY, SECRET, signIn, startProduct } from "./product.ts";
import { startRecorder, type Recorder } from "./recording-upstream.ts";

export interface Visit {
  cookie?: string;
  headers?: Record<string, string>;
  /** Posted as a form, as a browser without scripts does; from this site unless `headers` says otherwise. */
  form?: Record<string, string>;
}
export type Site = Awaited<ReturnType<typeof startSite>>;

/** The built product in its two halves on a database of its own, with a recorder between them and everybody signed in. */
export async function startSite({ publicUrl }: { publicUrl?: string } = {}) {
  const database: TestDatabase = await createDatabase();
  await createPeople(database.pool);
  const port = await freePort();
  const address = publicUrl ? { PUBLIC_URL: publicUrl } : {};
  const plane = await startProduct({
    port,
    env: { DATABASE_URL: database.url, PILOTHOUSE_KEY: KEY, PILOTHOUSE_ROLE: "control-plane", ...address },
  });
  const recorder: Recorder = await startRecorder(`http://127.0.0.1:${port}`);
  const nobody = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
  const web = await startProduct({
    env: { ...nobody, UPSTREAM_URL: recorder.url, SESSION_SECRET: SECRET, ...address },
  });
  const origin = publicUrl ?? web.url;
  const cookies = new Map<Role | "nobody", string>();

  return {
    url: web.url,
    database,
    recorder,
    /** The Cookie header of somebody signed in; one session each. */
    async as(role: Role | "nobody"): Promise<string> {
      const known = cookies.get(role) ?? (await signIn(web.url, PEOPLE[role], origin));
      cookies.set(role, known);
      return known;
    },
    /** One request, redirects not followed. */
    visit: (path: string, { cookie, headers = {}, form }: Visit = {}): Promise<Response> =>
      fetch(web.url + path, {
        redirect: "manual",
        method: form ? "POST" : "GET",
        headers: { ...(cookie ? { cookie } : {}), ...(form ? { origin } : {}), ...headers },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      }),
    async stop() {
      await Promise.all([web.stop(), plane.stop()]);
      await recorder.close();
      await database.drop();
    },
  };
}
