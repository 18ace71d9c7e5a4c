import { sqlFields, withOneAddress } from "./sql.ts";

/** A query of Microsoft SQL Server. */
export const mssqlFields = sqlFields(
  "sqlserver://$(username):$(password)@host:1433?database=master, or server=host;user id=$(username);password=…",
);
export const MssqlSpec = withOneAddress(mssqlFields);
