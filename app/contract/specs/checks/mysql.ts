import { sqlFields, withOneAddress } from "./sql.ts";

/** A query of MySQL or MariaDB. */
export const mysqlFields = sqlFields(
  "mysql://$(username):$(password)@host:3306/database, or $(username):$(password)@tcp(host:3306)/database?tls=true",
);
export const MysqlSpec = withOneAddress(mysqlFields);
