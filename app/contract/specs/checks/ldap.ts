import { flag, optional, secret, text } from "#app/contract/fields.ts";
import { commonFields, connectionHint } from "./common.ts";
import { withOneAddress } from "./sql.ts";

/** A directory that must let somebody in and find at least one entry. */
export const ldapFields = {
  ...commonFields,
  connection: optional(text("Connection", connectionHint)),
  url: optional(text("URL", "ldap://host:389, with TLS ldaps://")),
  username: optional(secret("Username", "Who signs in, such as cn=reader,dc=example,dc=org")),
  password: optional(secret("Password")),
  bindDN: text("Search below", "Such as ou=people,dc=example,dc=org"),
  userSearch: text("Search for", "A filter such as (objectClass=inetOrgPerson)"),
  skipTLSVerify: flag("Accept any certificate"),
};
export const LdapSpec = withOneAddress(ldapFields);
