import { randomBytes } from "node:crypto";
import { S3Spec } from "#app/contract/specs/checks/s3.ts";
import { healthy, reasonOf, runner, unhealthy } from "../runner.ts";
import { awsOf } from "./clouds.ts";
import { withS3 } from "./places/s3.ts";

/** What is written when the spec does not say where. */
const OBJECT = "pilothouse-check";

/** Passes when the bucket lists, takes an object and gives the same one back (facts: engines §4). */
export const s3 = runner({
  spec: S3Spec,
  async run(spec, context) {
    const store = await awsOf(spec, context);
    const Bucket = spec.bucketName;
    const Key = spec.objectPath?.replace(/^\/+/, "") ?? OBJECT;
    const Body = `written by a check ${randomBytes(16).toString("hex")}`;
    const abort = { abortSignal: context.signal };
    return withS3(
      store,
      context,
      async (client, { ListObjectsV2Command, PutObjectCommand, GetObjectCommand }) => {
        let step = "list";
        try {
          await client.send(new ListObjectsV2Command({ Bucket }), abort);
          step = "put";
          await client.send(new PutObjectCommand({ Bucket, Key, Body }), abort);
          step = "get";
          const found = await client.send(new GetObjectCommand({ Bucket, Key }), abort);
          const text = await found.Body?.transformToString();
          return text === Body
            ? healthy({ bucket: Bucket, object: Key })
            : unhealthy(`get: ${Key} is not what was just written there`);
        } catch (error) {
          context.signal.throwIfAborted();
          return unhealthy(`${step}: ${wordsOf(error)}`);
        }
      },
    );
  },
});

/** Many of its errors say no more than their name. */
function wordsOf(error: unknown): string {
  const words = reasonOf(error);
  const name = error instanceof Error ? error.name : "";
  return name === "" || name === "Error" || words.includes(name) ? words : `${name}: ${words}`;
}
