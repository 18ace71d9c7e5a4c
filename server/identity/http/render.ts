/** Identities and sessions as the public API shows them. */
import type { Links } from "../links.ts";
import { emailOf, type Identity } from "../store/identities.ts";
import type { Session } from "../store/sessions.ts";

export function renderIdentity(identity: Identity, links: Links) {
  return {
    id: identity.id,
    schema_id: identity.schemaId,
    schema_url: links.home(null, `/api/.ory/schemas/${Buffer.from(identity.schemaId).toString("base64url")}`),
    state: identity.state,
    ...(identity.stateChangedAt && { state_changed_at: identity.stateChangedAt.toISOString() }),
    traits: identity.traits,
    ...addressesOf(identity),
    metadata_public: null,
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
  };
}

/** The e-mail as the address to be verified, and as the one to recover by. */
function addressesOf(identity: Identity) {
  const value = emailOf(identity);
  if (value === null) return {};
  const { id, verifiedAt } = identity;
  const address = {
    id,
    value,
    via: "email",
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
  };
  const verified = verifiedAt ? { verified_at: verifiedAt.toISOString() } : {};
  return {
    verifiable_addresses: [
      {
        ...address,
        verified: verifiedAt !== null,
        status: verifiedAt ? "completed" : "pending",
        ...verified,
      },
    ],
    recovery_addresses: [address],
  };
}

export function renderSession(session: Session, identity: Identity, links: Links) {
  const { client, userAgent } = session.device;
  return {
    id: session.id,
    active: true,
    expires_at: session.expiresAt.toISOString(),
    authenticated_at: session.authenticatedAt.toISOString(),
    authenticator_assurance_level: session.aal,
    authentication_methods: session.methods,
    issued_at: session.issuedAt.toISOString(),
    identity: renderIdentity(identity, links),
    devices: [
      {
        id: session.id,
        ...(client !== null && { ip_address: client }),
        ...(userAgent !== null && { user_agent: userAgent }),
        location: "",
      },
    ],
  };
}
