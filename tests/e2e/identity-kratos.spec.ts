import { test } from "./fixtures.ts";
import { identityJourneys } from "./identity-journeys.ts";

/**
 * Signing in by a Kratos elsewhere: another process, port, base path and database, and cookies of another domain; or a
 * real one, where ORY_KRATOS_URL names it (README). The pages and their scripts are those of `identity.spec.ts`, so that
 * once is enough: without scripts, as each flow must work.
 */
test.describe("by a Kratos elsewhere @no-js", () => identityJourneys("kratos"));
