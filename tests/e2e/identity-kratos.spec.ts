import { identityJourneys } from "./identity-journeys.ts";

/**
 * Signing in by a Kratos elsewhere: another process, port, base path and database, and cookies of another domain; or a
 * real one, where ORY_KRATOS_URL names it (README).
 */
identityJourneys("kratos");
