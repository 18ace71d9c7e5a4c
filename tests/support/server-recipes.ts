/** How each server is configured and started. All of them listen on 127.0.0.1 only and keep everything in their folder. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export type ServerName =
  "mariadb" | "redis" | "slapd" | "sshd" | "smbd" | "dnsmasq" | "prometheus" | "alertmanager";

export interface Place {
  folder: string;
  port: number;
  /** Whom the program runs as. */
  uid: number;
  gid: number;
  /** More lines of configuration, from the test. */
  settings: string;
}

interface Recipe {
  packages: string[];
  programs: string[];
  login?: { username: string; password: string };
  env?(place: Place): Record<string, string>;
  /** Written into the folder first. */
  files?(place: Place): Record<string, string> | Promise<Record<string, string>>;
  /** Commands that must end with 0 before the server is started. */
  before?(place: Place): string[][];
  command(place: Place): string[];
  /** How it is known to be up: `greeting`, a path that answers 200, or that the port accepts. */
  ready?: string;
  url(place: Place): string;
}

/** Of all servers that want credentials. */
const LOGIN = { username: "tester", password: "only-for-this-run" };
const { username, password } = LOGIN;

/** A user that only the program sees (nss_wrapper): nobody needs to be root, and no file of the system changes. */
const WRAPPED = {
  env: ({ folder }: Place) => ({
    LD_PRELOAD: "libnss_wrapper.so",
    NSS_WRAPPER_PASSWD: join(folder, "passwd"),
    NSS_WRAPPER_GROUP: join(folder, "group"),
    NSS_WRAPPER_SHADOW: join(folder, "shadow"),
  }),
  files({ folder, uid, gid }: Place) {
    const hash = spawnSync("openssl", ["passwd", "-6", password], { encoding: "utf8" }).stdout.trim();
    const users = [`${username}:x:${uid}:${gid}::${folder}:/bin/sh`, `root:x:${uid}:${gid}::/:/bin/sh`];
    return {
      passwd: `${users.join("\n")}\nsshd:x:65533:65533::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n`,
      group: `${username}:x:${gid}:\nnogroup:x:65534:\n`,
      shadow: `${username}:${hash}:19000:0:99999:7:::\n`,
    };
  },
};

const mariadb: Recipe = {
  packages: ["mariadb-server"],
  programs: ["mariadbd", "mariadb-install-db"],
  login: LOGIN,
  files: () => ({
    "init.sql": `create database test;
create user '${username}'@'%' identified by '${password}';
grant all on *.* to '${username}'@'%' with grant option;
`,
  }),
  before: ({ folder }) => [
    [
      "mariadb-install-db",
      "--no-defaults",
      `--datadir=${folder}/data`,
      "--skip-test-db",
      "--skip-name-resolve",
    ],
  ],
  command: ({ folder, port, settings }) => [
    "mariadbd",
    "--no-defaults",
    `--datadir=${folder}/data`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${folder}/socket`,
    `--pid-file=${folder}/pid`,
    `--init-file=${folder}/init.sql`,
    "--skip-name-resolve",
    "--innodb-buffer-pool-size=16M",
    "--innodb-flush-log-at-trx-commit=0",
    ...lines(settings),
  ],
  ready: "greeting",
  url: ({ port }) => `mysql://${username}:${password}@127.0.0.1:${port}/test`,
};

const redis: Recipe = {
  packages: ["redis-server"],
  programs: ["redis-server"],
  login: LOGIN,
  files: ({ folder, port, settings }) => ({
    "redis.conf": `bind 127.0.0.1
port ${port}
dir ${folder}
save ""
${settings.includes("user default") ? "" : "user default off"}
user ${username} on >${password} ~* +@all
${settings}
`,
  }),
  command: ({ folder }) => ["redis-server", `${folder}/redis.conf`],
  url: ({ port }) => `redis://${username}:${password}@127.0.0.1:${port}`,
};

/** `dc=example,dc=org` with the people ann and bob; the login is ann's. */
const slapd: Recipe = {
  packages: ["slapd"],
  programs: ["slapd"],
  login: { username: "cn=admin,dc=example,dc=org", password },
  files({ folder, settings }) {
    mkdirSync(join(folder, "data"));
    const person = (name: string) => `dn: uid=${name},ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: ${name}
cn: ${name}
sn: ${name}
mail: ${name}@example.org
userPassword: ${password}
`;
    return {
      "slapd.conf": `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/pid
${settings}
database mdb
suffix "dc=example,dc=org"
rootdn "cn=admin,dc=example,dc=org"
rootpw ${password}
directory ${folder}/data
`,
      "data.ldif": `dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

${person("ann")}
${person("bob")}`,
    };
  },
  before: ({ folder }) => [["slapadd", "-f", `${folder}/slapd.conf`, "-l", `${folder}/data.ldif`]],
  command: ({ folder, port }) => [
    "slapd",
    "-d",
    "0",
    "-f",
    `${folder}/slapd.conf`,
    "-h",
    `ldap://127.0.0.1:${port}`,
  ],
  url: ({ port }) => `ldap://127.0.0.1:${port}`,
};

/** SFTP with a password; what it shows is the file system as its user sees it. */
const sshd: Recipe = {
  packages: ["openssh-server", "libnss-wrapper", "openssl"],
  programs: ["sshd", "ssh-keygen", "openssl"],
  login: LOGIN,
  env: WRAPPED.env,
  files: (place) => ({
    ...WRAPPED.files(place),
    sshd_config: `Port ${place.port}
ListenAddress 127.0.0.1
HostKey ${place.folder}/host_key
PidFile none
UsePAM no
PasswordAuthentication yes
StrictModes no
Subsystem sftp internal-sftp
${place.settings}
`,
  }),
  before: ({ folder }) => [["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", `${folder}/host_key`]],
  command: ({ folder }) => ["/usr/sbin/sshd", "-D", "-e", "-f", `${folder}/sshd_config`],
  ready: "greeting",
  url: ({ port }) => `sftp://${username}:${password}@127.0.0.1:${port}`,
};

/** One share named `share`, which is the folder `share`. */
const smbd: Recipe = {
  packages: ["samba", "libnss-wrapper", "openssl"],
  programs: ["smbd", "pdbedit", "openssl"],
  login: LOGIN,
  env: WRAPPED.env,
  files(place) {
    const { folder, port, settings } = place;
    mkdirSync(join(folder, "share"));
    mkdirSync(join(folder, "run"));
    const run = ["private dir", "lock directory", "state directory", "cache directory", "pid directory"];
    return {
      ...WRAPPED.files(place),
      "smb.conf": `[global]
server role = standalone server
interfaces = 127.0.0.1
bind interfaces only = yes
smb ports = ${port}
disable netbios = yes
${run.map((name) => `${name} = ${folder}/run`).join("\n")}
ncalrpc dir = ${folder}/run/ncalrpc
passdb backend = tdbsam:${folder}/run/passdb.tdb
load printers = no
disable spoolss = yes
server min protocol = SMB2
${settings}
[share]
path = ${folder}/share
read only = no
`,
    };
  },
  before: ({ folder }) => [
    [
      "sh",
      "-c",
      `printf '${password}\\n${password}\\n' | pdbedit -s ${folder}/smb.conf -t -a -u ${username}`,
    ],
  ],
  command: ({ folder }) => ["smbd", "-F", "--no-process-group", "-s", `${folder}/smb.conf`, "--debug-stdout"],
  url: ({ port }) => `smb://127.0.0.1:${port}/share`,
};

/** Knows only what its settings say, such as `address=/one.test/10.0.0.1`. */
const dnsmasq: Recipe = {
  packages: ["dnsmasq-base"],
  programs: ["dnsmasq"],
  files: ({ port, settings }) => ({
    "dnsmasq.conf": `port=${port}
listen-address=127.0.0.1
bind-interfaces
no-resolv
no-hosts
user=
group=
pid-file=
${settings}
`,
  }),
  command: ({ folder }) => ["dnsmasq", "--keep-in-foreground", `--conf-file=${folder}/dnsmasq.conf`],
  url: ({ port }) => `127.0.0.1:${port}`,
};

/** Scrapes itself every second. */
const prometheus: Recipe = {
  packages: ["prometheus"],
  programs: ["prometheus"],
  files: ({ port, settings }) => ({
    "prometheus.yml": `global: {scrape_interval: 1s}
scrape_configs:
  - job_name: prometheus
    static_configs: [{targets: ["127.0.0.1:${port}"]}]
${settings}
`,
  }),
  command: ({ folder, port }) => [
    "prometheus",
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=warn",
  ],
  ready: "/-/ready",
  url: ({ port }) => `http://127.0.0.1:${port}`,
};

/** Alerts are posted to `/api/v2/alerts`. */
const alertmanager: Recipe = {
  packages: ["prometheus-alertmanager"],
  programs: ["prometheus-alertmanager"],
  files: ({ settings }) => ({
    "alertmanager.yml": `route: {receiver: nobody}\nreceivers: [{name: nobody}]\n${settings}\n`,
  }),
  command: ({ folder, port }) => [
    "prometheus-alertmanager",
    `--config.file=${folder}/alertmanager.yml`,
    `--storage.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--cluster.listen-address=",
    "--log.level=warn",
  ],
  ready: "/-/ready",
  url: ({ port }) => `http://127.0.0.1:${port}`,
};

const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

export const RECIPES: Record<ServerName, Recipe> = {
  mariadb,
  redis,
  slapd,
  sshd,
  smbd,
  dnsmasq,
  prometheus,
  alertmanager,
};
