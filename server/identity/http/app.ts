/** The identity service as an HTTP application; the control plane mounts it at `/kratos`, outside its own sign-in. */
import { randomUUID } from "node:crypto";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isDatabaseAway } from "#server/db/away.ts";
import { Problem, problems } from "../problem.ts";
import { createBrowser, wantsJson } from "./browser.ts";
import { createFlows } from "./flows.ts";
import { loginRoutes } from "./login.ts";
import { registrationRoutes } from "./registration.ts";
import type { Service } from "./service.ts";
import { errorRoutes, logoutRoutes, sessionRoutes } from "./session.ts";
import { recoveryRoutes } from "./recovery.ts";
import { settingsRoutes } from "./settings.ts";
import { socialRoutes } from "./social.ts";
import { verificationRoutes } from "./verification.ts";

/** Bytes of a form that are read. */
const MAX_FORM = 64 * 1024;

export function createApp(service: Service): Hono {
  const { store, links, now, observe } = service;
  const browser = createBrowser(service);
  const flows = createFlows(service, browser);

  /** Facts are answered; faults are reported under an id and answered without their words. */
  async function answer(error: Error, c: Context): Promise<Response> {
    const problem = error instanceof Problem ? error : fault(error, c);
    // Looking a flow up is never a navigation, whatever the caller says it accepts.
    if (wantsJson(c) || c.req.path.endsWith("/flows")) return c.json(problem.body, problem.status);
    if (problem.location) return c.redirect(problem.location, 303);
    // When even the error cannot be kept (the database is away), the browser gets the JSON.
    const id = await store.flows.saveError(problem.error, now()).catch(() => null);
    return id ? c.redirect(links.page("error", { id }), 303) : c.json(problem.body, problem.status);
  }

  function fault(error: Error, c: Context): Problem {
    const id = randomUUID();
    const isAway = isDatabaseAway(error);
    const { method, path } = c.req;
    observe({ kind: "http.failed", id, method, path, status: isAway ? 503 : 500, error: error.message });
    if (isAway) return problems.databaseAway();
    return new Problem(500, undefined, "An internal server error occurred", `Please quote ${id}.`);
  }

  const app = new Hono();
  app.onError(answer);
  app.use(async (c, next) => {
    await next();
    c.header("cache-control", "private, no-cache, no-store, must-revalidate");
  });
  const limited = bodyLimit({ maxSize: MAX_FORM, onError: (c) => answer(problems.tooLarge(), c) });
  app.use((c, next) => {
    // Without a length the limit would wrap the request anew, which fails on the server's light requests.
    if (c.req.header("content-length") !== undefined) return limited(c, next);
    if (c.req.header("transfer-encoding") === undefined) return next();
    throw problems.badRequest("The length of the form must be said (Content-Length).");
  });
  return app
    .route("/self-service/login", loginRoutes(service, browser, flows))
    .route("/self-service/registration", registrationRoutes(service, browser, flows))
    .route("/self-service/settings", settingsRoutes(service, browser, flows))
    .route("/self-service/recovery", recoveryRoutes(service, browser, flows))
    .route("/self-service/verification", verificationRoutes(service, browser, flows))
    .route("/self-service/methods/oidc", socialRoutes(service, browser))
    .route("/self-service/logout", logoutRoutes(service, browser))
    .route("/self-service/errors", errorRoutes(service))
    .route("/sessions", sessionRoutes(service, browser))
    .all("*", (c) => c.json(problems.notFound().body, 404));
}
