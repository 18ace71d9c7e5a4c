import { expect, test } from "vitest";
import { MASK, masked } from "./masked.ts";

test.each([
  [{ password: "p" }, { password: MASK }],
  [{ password: { value: "p" } }, { password: { value: MASK } }],
  [{ apiKey: 12345 }, { apiKey: MASK }],
  [{ webhook: { token: { value: "t" } } }, { webhook: { token: { value: MASK } } }],
  [
    {
      headers: [
        { name: "X-Any", value: "v" },
        { name: "Y", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
      ],
    },
    {
      headers: [
        { name: "X-Any", value: MASK },
        { name: "Y", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
      ],
    },
  ],
  [{ url: "postgres://me:pw@db:5432/x?sslmode=off" }, { url: `postgres://${MASK}@db:5432/x?sslmode=off` }],
  [{ url: "https://a.example/?token=abc&q=1" }, { url: `https://a.example/?token=${MASK}&q=1` }],
  [{ connection: "user=me password=pw host=db" }, { connection: `user=me password=${MASK} host=db` }],
  [
    { script: "curl -H 'Authorization: Bearer abcdefgh.ijk' x" },
    { script: `curl -H 'Authorization: Bearer ${MASK}' x` },
  ],
  [
    { oauth2: { tokenURL: "https://id.example/token" } },
    { oauth2: { tokenURL: "https://id.example/token" } },
  ],
  [{ password: "" }, { password: "" }],
])("%j becomes %j", (spec, seen) => expect(masked(spec)).toEqual(seen));

test("what is no secret stays as it is", () => {
  const spec = {
    schedule: "@every 30s",
    http: [
      {
        name: "Cart",
        url: "https://shop.example/cart?page=2",
        responseCodes: [200],
        test: { expr: "code == 200" },
      },
    ],
    labels: { team: "web" },
    nothing: null,
  };
  expect(masked(spec)).toEqual(spec);
});
