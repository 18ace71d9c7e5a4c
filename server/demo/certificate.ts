/**
 * A certificate for partners.harborline.example and 127.0.0.1 that ran out on 1 April 2025, signed by itself, and its key:
 * what the demo's broken check trips over. It opens nothing and is trusted by nobody but that check.
 */
export const EXPIRED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqejXhHG3mb6IFXXc
PVxVP/FlGqO2YwmzxpyxF8Tm8nqhRANCAATHnseQ2lzcQzyrwD6SG5DAeALt5Lz1
LilmHYoCqwIQsr3GURgVwoEAB8acShb8kMjK1/cqkw7/3P5j9vpnP2jY
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIESGFyYjAKBggqhkjOPQQDAjAmMSQwIgYDVQQDDBtwYXJ0
bmVycy5oYXJib3JsaW5lLmV4YW1wbGUwHhcNMjUwMTAxMDAwMDAwWhcNMjUwNDAx
MDAwMDAwWjAmMSQwIgYDVQQDDBtwYXJ0bmVycy5oYXJib3JsaW5lLmV4YW1wbGUw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATHnseQ2lzcQzyrwD6SG5DAeALt5Lz1
LilmHYoCqwIQsr3GURgVwoEAB8acShb8kMjK1/cqkw7/3P5j9vpnP2jYo0EwPzAs
BgNVHREEJTAjghtwYXJ0bmVycy5oYXJib3JsaW5lLmV4YW1wbGWHBH8AAAEwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA2uLRvXLBClf2wT7rHTUC
a+ggOmLfUbdU4j3tAHLzJH4CIG/Rwzu10X9bLxx2EPbKGy+DDbhJnsatiyL4dQPa
J2aB
-----END CERTIFICATE-----
`,
};
