/** Registration of strangers, where the property opens it (docs/decisions/0104). */
import type { Property } from "#app/contract/features.ts";
import type { Courier } from "./courier.ts";
import type { Flow } from "./flow.ts";
import { pendingOf } from "./pending.ts";
import { problems } from "./problem.ts";
import type { IdentityStore } from "./store/identities.ts";
import { texts, type Complaint } from "./texts.ts";

const PROPERTY = "identity.registration.open";

/** Why strangers may not register: nobody has an account yet, nobody said they may, or no mail could prove an address. */
export type Door = "open" | "empty" | "closed" | "no mail";

interface Needs {
  identities: IdentityStore;
  courier: Courier;
  /** Properties that the installation lays down, which come before those of the database. */
  localProperties: () => Promise<readonly Property[]>;
  now: () => Date;
}

export function createOpenRegistration({ identities, courier, localProperties, now }: Needs) {
  /** Never by the property while there is nobody, or a stranger could come before the admin. */
  async function door(): Promise<Door> {
    if (await identities.isEmpty()) return "empty";
    const local = (await localProperties()).find(({ name }) => name === PROPERTY);
    const value = local ? local.value : await identities.property(PROPERTY);
    if (!["true", "enabled", "on"].includes(value?.trim().toLowerCase() ?? "")) return "closed";
    return courier.isOpen ? "open" : "no mail";
  }

  return {
    door,

    /**
     * Makes the account that waited for the flow's code, its address verified. `address` is where the right code was
     * sent. Answers its id, or what is wrong; null when nothing waits.
     * @throws Problem self_service_flow_disabled when registration has been closed meanwhile
     */
    async complete(flow: Flow, address: string): Promise<{ id: string } | Complaint | null> {
      const pending = pendingOf(flow);
      if (pending?.traits.email !== address) return null;
      if ((await door()) !== "open")
        throw problems.registrationClosed(
          "Registration is not open any more. Ask an administrator for an account.",
        );
      const made = { ...pending, role: null, isVerified: true };
      const created = await identities.create(made, { open: true }, now());
      return "refused" in created ? { message: texts.accountExists } : created;
    },
  };
}

export type OpenRegistration = ReturnType<typeof createOpenRegistration>;
