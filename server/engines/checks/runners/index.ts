import type { Runner } from "../runner.ts";
import { alertmanager } from "./alertmanager.ts";
import { dns } from "./dns.ts";
import { elasticsearch } from "./elasticsearch.ts";
import { exec } from "./exec.ts";
import { folder } from "./folder.ts";
import { http } from "./http.ts";
import { icmp } from "./icmp.ts";
import { junit } from "./junit.ts";
import { ldap } from "./ldap.ts";
import { mongodb } from "./mongodb.ts";
import { mssql } from "./mssql.ts";
import { mysql } from "./mysql.ts";
import { opensearch } from "./opensearch.ts";
import { postgres } from "./postgres.ts";
import { prometheus } from "./prometheus.ts";
import { redis } from "./redis.ts";
import { s3 } from "./s3.ts";
import { tcp } from "./tcp.ts";

/** Check type → how it is run. */
export const runners: ReadonlyMap<string, Runner> = new Map(
  Object.entries({
    http,
    tcp,
    icmp,
    dns,
    exec,
    folder,
    postgres,
    mysql,
    mssql,
    redis,
    mongodb,
    ldap,
    s3,
    junit,
    prometheus,
    alertmanager,
    elasticsearch,
    opensearch,
  }),
);
