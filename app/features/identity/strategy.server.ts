import { Strategy } from "remix-auth/strategy";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { flowBody } from "./flow-view.ts";
import { askKratos } from "./kratos.server.ts";
import { loginSearch } from "./paths.ts";

/** Who has just signed in, and the identity service's cookies that say so. */
export interface SignedIn {
  identity: string;
  cookies: string[];
}
export interface Verify {
  identity: string | undefined;
  isActive: boolean;
  cookies: string[];
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
    const body = flowBody(await postedForm(request));
    const { data, cookies } = await askKratos<{ session?: Session | undefined }>(request, (api) =>
      this.name === "login"
        ? api.updateLoginFlow({ flow, updateLoginFlowBody: body as never })
        : api.updateRegistrationFlow({ flow, updateRegistrationFlowBody: body as never }),
    );
    const { session } = data;
    return this.verify({ identity: session?.identity?.id, isActive: session?.active !== false, cookies });
  }
}
type Session = { active?: boolean | undefined; identity?: { id: string } | undefined };
