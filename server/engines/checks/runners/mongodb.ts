import { MongodbSpec } from "#app/contract/specs/checks/mongodb.ts";
import { fill, healthy, invalid, reasonOf, runner, unhealthy } from "../runner.ts";
import { closing } from "./client.ts";

/** How long a primary may take to answer, in milliseconds (facts: engines §4). */
const PING_MS = 5000;

/** Passes when the primary answers a ping within 5 s. */
export const mongodb = runner({
  spec: MongodbSpec,
  async run(spec, context) {
    const stored = spec.connection ? await context.connection(spec.connection) : undefined;
    const username = spec.username ?? stored?.username;
    const password = spec.password ?? stored?.password;
    const url = fill(spec.url ?? stored?.url ?? "", {
      username: username && encodeURIComponent(username),
      password: password && encodeURIComponent(password),
    });
    if (!/^mongodb(\+srv)?:\/\//.test(url))
      return invalid("url must be mongodb://host:27017 or mongodb+srv://host");
    const { MongoClient } = (await import("mongodb")).default;
    const hasLogin = /^[^/]+\/\/[^/]*@/.test(url);
    const limit = Math.min(PING_MS, Math.round(context.timeoutMs * 0.8)); // to say so before the time is up
    let client;
    try {
      client = new MongoClient(url, {
        ...(username && !hasLogin ? { auth: { username, password: password ?? "" } } : {}),
        ...(stored?.insecureTls ? { tlsAllowInvalidCertificates: true } : {}),
        appName: "pilothouse check",
        serverSelectionTimeoutMS: limit,
        connectTimeoutMS: limit,
        socketTimeoutMS: limit,
        maxPoolSize: 1,
        retryReads: false,
      });
    } catch (error) {
      return invalid(`url: ${reasonOf(error)}`);
    }
    const mongo = client;
    const close = () => mongo.close(true);
    return closing(
      { close, destroy: () => void close().catch(() => undefined) },
      context.signal,
      async () => {
        try {
          await mongo.db("admin").command({ ping: 1 }, { readPreference: "primary" });
          return healthy();
        } catch (error) {
          const words = reasonOf(error);
          return unhealthy(
            /Server selection timed out/.test(words) ? `no primary answered within ${limit / 1000} s` : words,
          );
        }
      },
    );
  },
});
