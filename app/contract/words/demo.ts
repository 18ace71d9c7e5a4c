import type { Role } from "#app/contract/access.ts";

/** The company of the demo. Invented: a carrier of parcels and freight. */
export const DEMO_COMPANY = "Harborline";

interface DemoPerson {
  first: string;
  last: string;
  email: string;
  role: Role;
  title: string;
  team: string;
}

/** Of everybody in the demo; shown on its sign-in page, and nowhere else. */
export const DEMO_PASSWORD = "quay seven lantern";

/** One person of each role (specification 1 §6). Nobody outside the demo may have such an address. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  {
    first: "Ingrid",
    last: "Solheim",
    email: "ingrid@harborline.example",
    role: "admin",
    title: "Head of platform",
    team: "Platform",
  },
  {
    first: "Tomás",
    last: "Ferreira",
    email: "tomas@harborline.example",
    role: "editor",
    title: "Site reliability engineer",
    team: "Platform",
  },
  {
    first: "Mei",
    last: "Okafor",
    email: "mei@harborline.example",
    role: "commander",
    title: "Incident manager",
    team: "Operations",
  },
  {
    first: "Jonas",
    last: "Brandt",
    email: "jonas@harborline.example",
    role: "responder",
    title: "On call, payments",
    team: "Payments",
  },
  {
    first: "Priya",
    last: "Raman",
    email: "priya@harborline.example",
    role: "viewer",
    title: "Warehouse planner",
    team: "Warehouse",
  },
];
