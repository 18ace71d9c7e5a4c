import type { CredentialCall } from "./credential-call.ts";

export interface CredentialButton {
  /** Of the button that asks; empty for what is offered while the page is open. */
  name: string;
  call: CredentialCall;
}

/** Wires the form's buttons (JSON): a press asks the browser, and the answer is posted with the form. */
export function wire(form: HTMLFormElement, value: string, signal: AbortSignal): void {
  const buttons = JSON.parse(value) as CredentialButton[];
  let offer: AbortController | null = null;
  const beginOffer = () => {
    const offered = buttons.find(({ call }) => call.does === "offer");
    if (!offered || signal.aborted) return;
    offer = new AbortController();
    void offerWhileTyping(form, offered.call, AbortSignal.any([signal, offer.signal]));
  };
  for (const { name, call } of buttons) {
    const button = [...form.querySelectorAll<HTMLButtonElement>("[data-credential]")].find(
      (one) => one.name === name,
    );
    if (call.does === "offer") continue;
    button?.addEventListener(
      "click",
      () => {
        offer?.abort(); // a browser answers one question at a time
        tell(button, "");
        void answer(form, call, signal).then((refusal) => {
          if (refusal === null) return;
          tell(button, refusal);
          beginOffer();
        });
      },
      { signal },
    );
  }
  beginOffer();
}

/** Asks and posts; the words to show when that came to nothing, else null. */
async function answer(
  form: HTMLFormElement,
  call: CredentialCall,
  signal: AbortSignal,
): Promise<string | null> {
  if (!("PublicKeyCredential" in window) || !("credentials" in navigator))
    return "This browser knows no security keys and passkeys, or the page is not reached by https.";
  try {
    const publicKey = optionsOf(form, call);
    const credential =
      call.does === "create"
        ? await navigator.credentials.create({ publicKey: publicKey as never, signal })
        : await navigator.credentials.get({ publicKey: publicKey as never, signal });
    if (!(credential instanceof PublicKeyCredential)) return "The browser gave no credential.";
    post(form, call, credential);
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    const name = error instanceof DOMException ? error.name : "";
    return REFUSALS[name] ?? `The browser refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
const REFUSALS: Record<string, string> = {
  NotAllowedError: "It was cancelled, or took too long. Try again when you are ready.",
  InvalidStateError: "This security key or passkey is registered already.",
  SecurityError: "The address of this page is not the one the identity service expects.",
};

/** Passkeys among the suggestions of the e-mail field. Where the browser cannot, nothing happens. */
async function offerWhileTyping(
  form: HTMLFormElement,
  call: CredentialCall,
  signal: AbortSignal,
): Promise<void> {
  const can = "PublicKeyCredential" in window && PublicKeyCredential.isConditionalMediationAvailable;
  if (!can || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  try {
    const publicKey = optionsOf(form, call) as never;
    const credential = await navigator.credentials.get({ publicKey, mediation: "conditional", signal });
    if (credential instanceof PublicKeyCredential) post(form, call, credential);
  } catch {
    // An offer that nobody took; the button says what goes wrong.
  }
}

/** Beyond the form's own check: a passkey needs no e-mail and no password. */
function post(form: HTMLFormElement, call: CredentialCall, credential: PublicKeyCredential): void {
  field(form, call.into).value = JSON.stringify(credentialJson(credential));
  field(form, "method").value = call.method;
  for (const button of form.querySelectorAll<HTMLButtonElement>("button[name=method]"))
    button.disabled = true;
  form.noValidate = true;
  form.requestSubmit();
}

/** The form's hidden field of that name; made where there is none. */
function field(form: HTMLFormElement, name: string): HTMLInputElement {
  const known = [...form.querySelectorAll<HTMLInputElement>("input")].find((input) => input.name === name);
  if (known) return known;
  const made = Object.assign(document.createElement("input"), { type: "hidden", name });
  form.append(made);
  return made;
}

/** The options with their bytes decoded. They come as `{publicKey: …}`, or as that alone, or as `{credentialOptions: …}`. */
function optionsOf(form: HTMLFormElement, { options, from }: CredentialCall): Record<string, unknown> {
  const given = JSON.parse(options ?? (from ? field(form, from).value : "")) as Json;
  const outer = (given["credentialOptions"] ?? given) as Json;
  const key = { ...((outer["publicKey"] ?? outer) as Json) };
  key["challenge"] = bytes(key["challenge"]);
  const user = key["user"] as Json | undefined;
  if (user) key["user"] = { ...user, ...nameOf(form, given, user), id: bytes(user["id"]) };
  for (const list of ["allowCredentials", "excludeCredentials"])
    if (Array.isArray(key[list]))
      key[list] = (key[list] as Json[]).map((one) => ({ ...one, id: bytes(one["id"]) }));
  return key;
}
type Json = Record<string, unknown>;

/** A passkey made while registering is named after what is typed (Kratos: `displayNameFieldName`). */
function nameOf(form: HTMLFormElement, given: Json, user: Json): Json {
  const name = given["displayNameFieldName"];
  const typed = typeof name === "string" ? field(form, name).value : "";
  return typed
    ? { name: typed, displayName: typed }
    : { name: user["name"], displayName: user["displayName"] };
}

/** Base64 of either alphabet, with padding or without. */
function bytes(value: unknown): Uint8Array {
  const text = atob(String(value).replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
const text = (buffer: ArrayBuffer | null) =>
  buffer === null
    ? null
    : btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");

/** As the public API takes it: every byte string as base64url. */
function credentialJson(credential: PublicKeyCredential) {
  const { id, rawId, type, response } = credential;
  const shared = { clientDataJSON: text(response.clientDataJSON) };
  const answered =
    response instanceof AuthenticatorAttestationResponse
      ? { ...shared, attestationObject: text(response.attestationObject) }
      : {
          ...shared,
          authenticatorData: text((response as AuthenticatorAssertionResponse).authenticatorData),
          signature: text((response as AuthenticatorAssertionResponse).signature),
          userHandle: text((response as AuthenticatorAssertionResponse).userHandle),
        };
  return { id, rawId: text(rawId), type, response: answered, clientExtensionResults: {} };
}

function tell(button: HTMLButtonElement, words: string): void {
  const place = button.parentElement?.querySelector("[data-credential-error]");
  if (place) place.textContent = words;
}
