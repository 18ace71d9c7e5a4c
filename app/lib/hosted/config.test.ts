import { describe, expect, test } from "vitest";
import { readHosted } from "./config.server.ts";

const GIVEN = { OIDC_ISSUER: "https://id.example.com/", OIDC_CLIENT_ID: "pilothouse" };

test("an issuer and a client id are enough", () => {
  expect(readHosted(GIVEN)).toEqual({
    issuer: "https://id.example.com/",
    clientId: "pilothouse",
    clientSecret: null,
    scopes: "openid profile email offline_access",
    prompt: null,
    audience: null,
    organizationsClaim: "organizations",
    organizationsUrl: null,
    upstreams: null,
    organization: null,
    roleClaim: "role",
  });
  expect(readHosted({ UPSTREAM_URL: "http://x", OIDC_SCOPES: "" })).toBeNull();
});

test.each([
  ["https://{org}.example.com/api/", { template: "https://{org}.example.com/api" }],
  [' {"acme": "http://10.0.0.1:8080/"}', { table: { acme: "http://10.0.0.1:8080" } }],
])("backends by %s", (OIDC_UPSTREAMS, upstreams) => {
  expect(readHosted({ ...GIVEN, OIDC_UPSTREAMS })).toMatchObject({ upstreams });
});

describe("a wrong value is one sentence that names it", () => {
  test.each([
    [{ OIDC_CLIENT_ID: "x" }, "OIDC_CLIENT_ID makes no sense without OIDC_ISSUER"],
    [{ OIDC_ISSUER: GIVEN.OIDC_ISSUER }, "OIDC_CLIENT_ID must be set"],
    [{ ...GIVEN, OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER must be an https address"],
    [{ ...GIVEN, OIDC_ISSUER: "id.example.com" }, "OIDC_ISSUER must be an https address"],
    [{ ...GIVEN, OIDC_ISSUER: "https://u:p@id.example.com" }, "OIDC_ISSUER must be an https address"],
    [{ ...GIVEN, OIDC_SCOPES: "profile email" }, "OIDC_SCOPES must contain openid"],
    [
      { ...GIVEN, OIDC_ORGANIZATIONS_URL: "http://id.example.com/orgs" },
      "OIDC_ORGANIZATIONS_URL must be an https",
    ],
    [{ ...GIVEN, OIDC_UPSTREAMS: "https://example.com" }, "OIDC_UPSTREAMS must be an address with {org}"],
    [{ ...GIVEN, OIDC_UPSTREAMS: "{}" }, "OIDC_UPSTREAMS must be"],
    [{ ...GIVEN, OIDC_UPSTREAMS: '{"acme": 3}' }, "OIDC_UPSTREAMS must be"],
    [{ ...GIVEN, OIDC_UPSTREAMS: '{"acme": "acme"' }, "OIDC_UPSTREAMS must be"],
  ])("%j", (variables, sentence) => {
    expect(() => readHosted(variables)).toThrow(sentence);
  });
});
