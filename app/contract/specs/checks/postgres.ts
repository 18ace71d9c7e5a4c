import { sqlFields, withOneAddress } from "./sql.ts";

/** A query of PostgreSQL. */
export const postgresFields = sqlFields(
  "postgres://$(username):$(password)@host:5432/database?sslmode=disable, or key=value pairs",
);
export const PostgresSpec = withOneAddress(postgresFields);
