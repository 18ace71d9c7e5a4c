/** Does the time of an answer tell who has an account? Medians, and a rank test (Mann-Whitney, two-sided). */
import type { Installation } from "./guesses-installation.ts";
import { newSender, type Form } from "./guesses-sender.ts";
import { table } from "./machine.ts";

interface Kind {
  name: string;
  path: "login" | "recovery" | "registration";
  /** The form of one attempt with this e-mail. */
  form(email: string): Form;
}

const KINDS: Kind[] = [
  {
    name: "sign-in, wrong password",
    path: "login",
    form: (identifier) => ({ method: "password", identifier, password: "not the password" }),
  },
  { name: "recovery, a code by mail", path: "recovery", form: (email) => ({ method: "code", email }) },
  {
    name: "registration, a code by mail",
    path: "registration",
    form: (email) => ({ method: "password", password: "correct horse battery", traits: { email } }),
  },
];

/** `pairs` attempts each for addresses with and without an account, interleaved in random order, one at a time. */
export async function compareTimes(installation: Installation, pairs: number): Promise<string> {
  const { pool } = installation;
  await pool.query("insert into properties (name, value) values ('identity.registration.open', 'true')");
  await pool.query("delete from internal.limits");
  const rows: (string | number)[][] = [
    ["Attempts", "With account, median ms", "Without, median ms", "Difference, %", "p of the rank test"],
  ];
  for (const kind of KINDS) {
    await measure(installation, kind, Math.min(20, pairs), 100); // warm
    const { known, unknown } = await measure(installation, kind, pairs, 0);
    const [a, b] = [median(known), median(unknown)];
    rows.push([
      `${kind.name}: ${pairs} each`,
      a.toFixed(2),
      b.toFixed(2),
      ((Math.abs(a - b) / Math.max(a, b)) * 100).toFixed(1),
      mannWhitney(known, unknown).toFixed(3),
    ]);
  }
  return table(rows);
}

/** Each attempt has an account and an address of its own, so that no limit answers in place of the work. */
async function measure(
  { planes, emailOf }: Installation,
  { path, form }: Kind,
  pairs: number,
  shift: number,
) {
  const sender = newSender(planes[0]?.url ?? "", "127.0.0.1", "/kratos");
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < pairs; n += 1) {
    const order = Math.random() < 0.5 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const which of order) {
      const email = which === "known" ? emailOf((n + shift) % 600) : `nobody${n + shift}@example.com`;
      const salt = which === "known" ? 0 : 1;
      const headers = { "x-ph-client": `10.${shift + salt}.${Math.floor(n / 250)}.${1 + (n % 250)}` };
      const { id, csrf } = await sender.begin(path, headers);
      const body = { ...form(email), csrf_token: csrf };
      const from = performance.now();
      await sender.call("POST", `/self-service/${path}?flow=${id}`, body, headers);
      times[which].push(performance.now() - from);
    }
  }
  sender.close();
  return times;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The two-sided p of the Mann-Whitney U test by its normal approximation, with ties. */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [
    ...a.map((value) => ({ value, isA: true })),
    ...b.map((value) => ({ value, isA: false })),
  ].sort((x, y) => x.value - y.value);
  let ranksOfA = 0;
  let ties = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to + 1 < all.length && all[to + 1]?.value === all[from]?.value) to += 1;
    const rank = (from + to) / 2 + 1;
    const size = to - from + 1;
    ties += size ** 3 - size;
    for (const { isA } of all.slice(from, to + 1)) if (isA) ranksOfA += rank;
    from = to + 1;
  }
  const [n, m] = [a.length, b.length];
  const total = n + m;
  const u = ranksOfA - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = (Math.abs(u - (n * m) / 2) - 0.5) / deviation;
  return 2 * (1 - normal(z));
}

/** The standard normal distribution (Abramowitz and Stegun 26.2.17; exact to 7.5e-8). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const tail =
    density *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}
