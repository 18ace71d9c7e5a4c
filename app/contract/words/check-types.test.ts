import { expect, test } from "vitest";
import { CHECK_TYPES, checkTypeName, nearestCheckType, notRunHere } from "./check-types.ts";

test("every type of the contract is a known word", () => {
  const words = `http dns tcp icmp exec postgres mssql mysql mongodb redis ldap prometheus elasticsearch opensearch
    alertmanager folder s3 restic jmeter junit helm namespace pod kubernetes kubernetesResource cloudwatch github
    gitProtocol awsConfig awsConfigRule databaseBackup catalog dynatrace azureDevops docker dockerPush containerd
    containerdPush webhook heartbeat`;
  for (const word of words.split(/\s+/)) expect(CHECK_TYPES.has(word), word).toBe(true);
});

test("a type that is not run says so, and only that", () => {
  expect(notRunHere("kubernetes")).toBe("This version does not run Kubernetes checks.");
  expect(notRunHere("http")).toBeNull();
  expect(notRunHere("mongo")).toBeNull();
  expect(notRunHere("carrierPigeon")).toBeNull();
});

test("other words for a type are that type", () => {
  expect(["alertManager", "mongo", "http", "nonsense"].map(checkTypeName)).toEqual([
    "alertmanager",
    "mongodb",
    "http",
    "nonsense",
  ]);
});

test.each([
  ["htpp", "http"],
  ["HTTP", "http"],
  ["postgress", "postgres"],
  ["dn", "dns"],
  ["alertmanger", "alertmanager"],
  ["carrierPigeon", null],
  ["x", null],
])("%s may be meant as %s", (word, meant) => {
  expect(nearestCheckType(word)).toBe(meant);
});
