/** What scripts have besides the language and underscore: quantities, and the objects of Kubernetes and its alerts. */
export const HELPERS = String.raw`
globalThis.startsWith = function (text, start) { return String(text === null || text === undefined ? "" : text).startsWith(start); };
globalThis.endsWith = function (text, end) { return String(text === null || text === undefined ? "" : text).endsWith(end); };
/* "250m" is 250, "2" is 2000. */
globalThis.fromMillicores = function (value) {
  var text = String(value === null || value === undefined ? "0" : value).trim();
  if (/^[\d.]+n$/.test(text)) return parseFloat(text) / 1e6;
  return /m$/.test(text) ? parseFloat(text) : Math.round(parseFloat(text) * 1e6) / 1000;
};
/* "10Ki" is 10240, "1M" a million. */
globalThis.fromSI = function (value) {
  var found = /^\s*([\d.]+(?:e\d+)?)\s*([kmgtpe]?)(i?)b?\s*$/i.exec(String(value === null || value === undefined ? "0" : value));
  if (!found) return NaN;
  return Math.trunc(parseFloat(found[1]) * Math.pow(found[3] ? 1024 : 1000, " kmgtpe".indexOf((found[2] || " ").toLowerCase())));
};
globalThis.k8s = (function () {
  var metadata = function (v) { return (v && v.metadata) || {}; };
  var conditions = function (v) { return ((v && (v.status && v.status.conditions)) || (v && v.conditions)) || null; };
  /* Labels of an alert that say where it came from, not what it is about. */
  var NOISE = ["severity", "job", "alertname", "alertstate", "__name__", "value", "namespace", "prometheus", "endpoint", "instance", "service", "uid"];
  var TARGETS = ["deployment", "daemonset", "statefulset", "cronjob_name", "job_name", "pod", "nodename"];
  var property = function (name, value, extra) { return Object.assign({ name: name, text: value === undefined || value === null ? "" : String(value) }, extra); };
  var amount = function (name, value, unit, max) { return Object.assign({ name: name, headline: true, unit: unit, value: value }, max === undefined ? {} : { max: max }); };
  var containers = function (pod) { return (pod.spec && pod.spec.containers) || []; };
  var sum = function (pod, kind, name, read) {
    return containers(pod).reduce(function (total, c) {
      var v = c.resources && c.resources[kind] && c.resources[kind][name];
      return total + (v === undefined ? 0 : read(v));
    }, 0);
  };
  var k8s = {
    conditions: {
      getMessage: function (v) {
        var all = conditions(v);
        if (!all) return "no conditions found";
        return all.filter(function (c) { return c.message; }).map(function (c) { return c.message; }).join(", ");
      },
      getError: function (v) {
        var all = conditions(v);
        if (!all) return "no conditions found";
        return all.filter(function (c) { return c.status !== "True"; })
          .map(function (c) { return c.type + (c.message ? ": " + c.message : ""); }).join(", ");
      },
      isReady: function (v) {
        var all = conditions(v);
        return all !== null && all.every(function (c) { return c.status === "True"; });
      }
    },
    getAlertName: function (labels) {
      var target = TARGETS.map(function (name) { return labels[name]; }).find(Boolean);
      return [labels.alertname, labels.namespace, target, labels.container].filter(Boolean).join("/");
    },
    getAlertLabels: function (labels) { return k8s.filterLabels(labels); },
    getAlerts: function (results) {
      return _.map(results, function (r) {
        var labels = r.metric || r.labels || r;
        return {
          name: k8s.getAlertName(labels), type: "alert", icon: "alert", pass: false,
          severity: labels.severity || "", labels: k8s.filterLabels(labels),
          message: (r.annotations && (r.annotations.message || r.annotations.description || r.annotations.summary)) || ""
        };
      });
    },
    filterLabels: function (labels) { return _.omit(labels || {}, function (v, k) { return NOISE.indexOf(k) >= 0; }); },
    getLabelMap: function (v) { return _.omit(metadata(v).labels || {}, function (x, k) { return /-hash$/.test(k); }); },
    getLabels: function (v) {
      return _.pairs(k8s.getLabelMap(v)).map(function (p) { return { name: p[0], text: p[1], type: "label" }; });
    },
    getNodeMetrics: function (v) {
      var usage = v.usage || {};
      return [{ name: metadata(v).name, properties: [
        amount("cpu", fromMillicores(usage.cpu), "millicores"), amount("memory", fromSI(usage.memory), "bytes")] }];
    },
    getPodMetrics: function (v) {
      var total = function (name, read) {
        return (v.containers || []).reduce(function (t, c) { return t + read((c.usage || {})[name]); }, 0);
      };
      return [{ name: metadata(v).name, properties: [
        amount("cpu", total("cpu", fromMillicores), "millicores"), amount("memory", total("memory", fromSI), "bytes")] }];
    },
    getPodTopology: function (v) {
      var status = v.status || {}, spec = v.spec || {};
      var restarts = (status.containerStatuses || []).reduce(function (t, c) { return t + (c.restartCount || 0); }, 0);
      return {
        name: metadata(v).name, namespace: metadata(v).namespace, external_id: metadata(v).uid, type: "KubernetesPod",
        labels: k8s.getLabelMap(v), status: status.phase || "",
        properties: [
          property("image", containers(v).map(function (c) { return c.image; }).join(", ")),
          amount("cpu", undefined, "millicores", sum(v, "limits", "cpu", fromMillicores)),
          amount("memory", undefined, "bytes", sum(v, "limits", "memory", fromSI)),
          property("node", spec.nodeName), property("ips", status.podIP), property("restarts", restarts),
          property("created_at", metadata(v).creationTimestamp)
        ]
      };
    },
    getNodeTopology: function (v) {
      var status = v.status || {}, info = status.nodeInfo || {}, capacity = status.allocatable || status.capacity || {};
      var ready = _.find(status.conditions, { type: "Ready" });
      var address = function (type) { return (_.find(status.addresses, { type: type }) || {}).address; };
      return {
        name: metadata(v).name, external_id: metadata(v).uid, type: "KubernetesNode", labels: k8s.getLabelMap(v),
        status: ready && ready.status === "True" ? "healthy" : "unhealthy",
        properties: [
          amount("cpu", undefined, "millicores", fromMillicores(capacity.cpu)),
          amount("memory", undefined, "bytes", fromSI(capacity.memory)),
          property("ip", address("InternalIP")), property("externalIp", address("ExternalIP")),
          property("os", info.osImage), property("kernel", info.kernelVersion),
          property("container-runtime", info.containerRuntimeVersion), property("kubelet", info.kubeletVersion)
        ]
      };
    }
  };
  return k8s;
})();
`;
