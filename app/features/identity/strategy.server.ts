import { Strategy } from "remix-auth/strategy";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { updateFlow, type Taken } from "./flow-calls.server.ts";
import { flowFields } from "./flow-fields.ts";
import { loginSearch } from "./paths.ts";

/** Who has just signed in, and the identity service's cookies that say so. `identity` null: registered only. */
export interface SignedIn {
  identity: string | null;
  cookies: string[];
  taken: Taken;
}
export interface Verify extends SignedIn {
  isActive: boolean;
}

/**
 * Signing in, or registering, by a self-service flow of the identity service: the posted form of the request is sent to
 * the flow named by `?flow=`. Throws `FlowRefusal` with the service's answer.
 */
export class FlowStrategy extends Strategy<SignedIn, Verify> {
  readonly name: "login" | "registration";

  constructor(name: "login" | "registration", verify: Strategy.VerifyFunction<SignedIn, Verify>) {
    super(verify);
    this.name = name;
  }

  async authenticate(request: Request): Promise<SignedIn> {
    const { flow } = loginSearch.read(request);
    const { data, cookies } = await updateFlow(
      this.name,
      flow,
      flowFields(await postedForm(request)),
      request,
    );
    const { session } = data;
    const identity = session?.identity?.id ?? null;
    return this.verify({ identity, isActive: session?.active !== false, cookies, taken: data });
  }
}
