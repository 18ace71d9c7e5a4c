import { duration, flag, group, number, optional, schemaOf, size, text } from "#app/contract/fields.ts";
import { gcpFields, s3Fields, sftpFields, smbFields } from "./clouds.ts";
import { commonFields } from "./common.ts";

/** The files of a folder, here or elsewhere: their number, age and size, and the space that is left. */
export const folderFields = {
  ...commonFields,
  path: text(
    "Path",
    "A folder, or a pattern with * and ** such as /backups/**/*.gz; also s3://bucket/…, gcs://bucket/…, smb://host/share/… or \\\\host\\share\\…",
  ),
  recursive: flag("With the folders inside"),
  filter: optional(
    group(
      "Only files that",
      {
        minAge: optional(duration("Are at least this old")),
        maxAge: optional(duration("Are at most this old")),
        since: optional(text("Changed since", "A time like 2006-01-02T15:04:05Z, or now-7d")),
        minSize: optional(size("Are at least this big")),
        maxSize: optional(size("Are at most this big")),
        regex: optional(text("Have a name like", "A regular expression")),
      },
      "All of these; the rest of the check sees no other file",
    ),
  ),
  minAge: optional(duration("Newest at least this old")),
  maxAge: optional(duration("Oldest at most this old")),
  minCount: optional(number("Files at least")),
  maxCount: optional(number("Files at most")),
  minSize: optional(size("Smallest at least")),
  maxSize: optional(size("Largest at most")),
  availableSize: optional(size("Free space at least", "Of the file system the folder is on")),
  totalSize: optional(size("File system at least")),
  awsConnection: optional(group("S3", s3Fields, "For a path with s3://")),
  gcpConnection: optional(
    group(
      "Google Cloud Storage",
      { ...gcpFields, bucket: optional(text("Bucket", "Unless the path says it")) },
      "For a path with gcs://",
    ),
  ),
  smbConnection: optional(group("Windows share", smbFields, "For a path with smb:// or \\\\")),
  sftpConnection: optional(group("SFTP", sftpFields, "The path is a folder of this server")),
};
export const FolderSpec = schemaOf(folderFields);
