import { flag, optional, schemaOf, text } from "#app/contract/fields.ts";
import { awsFields } from "./clouds.ts";
import { commonFields } from "./common.ts";

/** A bucket that must list, take an object and give it back. */
export const s3CheckFields = {
  ...commonFields,
  bucketName: text("Bucket"),
  objectPath: optional(text("Object", "Written and read back by each run; a name of ours unless given")),
  ...awsFields,
  usePathStyle: flag("Bucket in the path", "Not in the host's name; always so with an endpoint"),
};
export const S3Spec = schemaOf(s3CheckFields);
