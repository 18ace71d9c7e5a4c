import { identityJourneys } from "./identity-journeys.ts";

/** Signing in by the built-in identity service. */
identityJourneys("built-in");
