/** What each feature is, for people who switch it (specification 1 §6, 3 §2.2). Plain values: safe for the browser. */
import type { Feature } from "../features.ts";

export interface FeatureWords {
  label: string;
  /** What is out of sight while it is off, in a sentence. */
  hides: string;
}

export const FEATURE_WORDS: Readonly<Record<Feature, FeatureWords>> = {
  topology: { label: "Topology", hides: "The dashboard of components, and Topology in the settings." },
  health: {
    label: "Health",
    hides: "The page of checks, and Health Check and Jobs History in the settings.",
  },
  incidents: {
    label: "Incidents",
    hides: "Incidents, their rules, and the actions that open or link one elsewhere.",
  },
  config: { label: "Catalog", hides: "The catalogue with its changes and insights, and its scrapers." },
  logs: { label: "Logs", hides: "The page of logs, View Logs on components, and Log Backends." },
  playbooks: { label: "Playbooks", hides: "Playbooks, their runs, and the menus that run one." },
  agents: { label: "Agents", hides: "The list of agents." },
  "settings.connections": { label: "Connections", hides: "Connections in the settings." },
  "settings.users": { label: "Users", hides: "Users in the settings: nobody is invited or changed there." },
  "settings.teams": { label: "Teams", hides: "Teams and their members in the settings." },
  "settings.rules": { label: "Rules", hides: "Rules of incidents in the settings." },
  "settings.config_scraper": { label: "Catalog scrapers", hides: "Scrapers of the catalogue." },
  "settings.topology": { label: "Topology settings", hides: "Topology in the settings." },
  "settings.health": { label: "Health check settings", hides: "Health Check in the settings." },
  "settings.job_history": { label: "Jobs History", hides: "Jobs History in the settings." },
  "settings.feature_flags": {
    label: "Feature flags",
    hides: "This page itself: it comes back only by the API or a command.",
  },
  "settings.logging_backends": { label: "Log backends", hides: "Log Backends in the settings." },
  "settings.event_queue_status": { label: "Event Queue", hides: "Event Queue in the settings." },
  "settings.organization_profile": { label: "Organization profile", hides: "The organization's profile." },
  "settings.notifications": { label: "Notifications", hides: "Notifications in the settings." },
  "settings.playbooks": { label: "Playbook settings", hides: "Playbooks in the settings." },
  "settings.integrations": { label: "Integrations", hides: "Integrations in the settings." },
  "settings.permissions": { label: "Permissions", hides: "Permissions in the settings." },
};

/** Specification 3 §5, §8. */
export const FLAG_WORDS = {
  incomplete: "please provide all details",
  local: "Cannot edit local feature flags",
  added: "Feature flag added successfully",
  updated: "Feature flag updated successfully",
  removed: "Feature flag removed successfully",
} as const;
