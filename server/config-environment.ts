/** The variables of the environment, each by itself: its form, its default, and the words for a wrong one. */
import { z } from "zod";

/** An address of http or https without anything that would be lost when a path is appended. */
const httpUrl = (words: string) =>
  z
    .string()
    .refine(
      (value) => /^https?:\/\/[^/?#\s]+/.test(value) && URL.canParse(value) && !/[?#]/.test(value),
      words,
    )
    .transform((value) => value.replace(/\/+$/, ""));
const wholeNumber = (min: number, max: number, words: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .refine((value) => value >= min && value <= max, words);
const secret = z
  .string()
  .min(32, "must have at least 32 characters, for example from `openssl rand -hex 32`");

/** Combinations that make no sense are config.ts's. */
export const Environment = z.object({
  PILOTHOUSE_DATA: z.string().default(".pilothouse"),
  DATABASE_URL: z
    .string()
    .refine(
      (value) =>
        /^postgres(ql)?:\/\//.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1,
      "must be an address like postgres://user:password@host:5432/database",
    )
    .optional(),
  UPSTREAM_URL: httpUrl("must be the backend's root, like http://host:8080 or https://host/api").optional(),
  ORY_KRATOS_URL: httpUrl(
    "must be the public API of an Ory Kratos, like http://kratos-public:4433 or https://auth.example.com",
  ).optional(),
  PILOTHOUSE_ROLE: z.enum(["all", "web", "control-plane"], "must be all, web or control-plane").optional(),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(1, 65535, "must be a whole number from 1 to 65535").default(3000),
  PUBLIC_URL: httpUrl("must be the address people type, like https://pilothouse.example.com")
    .refine(
      (value) => new URL(value).pathname === "/",
      "must have no path, like https://pilothouse.example.com",
    )
    .optional(),
  TRUST_PROXY: wholeNumber(0, 100, "must be the number of proxies in front, from 0 to 100").default(0),
  SESSION_SECRET: secret.optional(),
  PILOTHOUSE_KEY: secret.optional(),
  PILOTHOUSE_ADMIN_EMAIL: z.email("must be an e-mail address").optional(),
  PILOTHOUSE_ADMIN_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  PILOTHOUSE_CONFIG: z.string().optional(),
  SMTP_HOST: z.string().min(1).optional(),
  SMTP_PORT: wholeNumber(1, 65535, "must be a whole number from 1 to 65535").default(587),
  SMTP_USER: z.string().min(1).optional(),
  SMTP_PASSWORD: z.string().min(1).optional(),
  SMTP_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      "must be an address like ops@example.com or Pilothouse <ops@example.com>",
    )
    .optional(),
  KUBERNETES_API: httpUrl(
    "must be the root of a Kubernetes API, like https://kubernetes.default.svc",
  ).optional(),
  KUBERNETES_TOKEN_FILE: z.string().default("/var/run/secrets/kubernetes.io/serviceaccount/token"),
  KUBERNETES_CA_FILE: z.string().optional(),
  PILOTHOUSE_MODE: z.enum(["standalone"], "must be standalone, or unset").optional(),
  PILOTHOUSE_DEMO: z.enum(["0", "1"], "must be 1, or unset").optional(),
});
export type Environment = z.output<typeof Environment>;
