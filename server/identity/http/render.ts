/** Identities and sessions as the public API shows them. */
import type { Links } from "../links.ts";
import type { Identity } from "../store/identities.ts";
import type { Session } from "../store/sessions.ts";

export function renderIdentity(identity: Identity, links: Links) {
  return {
    id: identity.id,
    schema_id: identity.schemaId,
    schema_url: links.home(null, `/api/.ory/schemas/${Buffer.from(identity.schemaId).toString("base64url")}`),
    state: identity.state,
    ...(identity.stateChangedAt && { state_changed_at: identity.stateChangedAt.toISOString() }),
    traits: identity.traits,
    metadata_public: null,
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
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
