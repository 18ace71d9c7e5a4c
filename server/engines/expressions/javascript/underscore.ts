/**
 * The part of underscore that scripts of checks use, written anew on what the language has by now: lists, maps, and the
 * questions about values. A collection is a list or a map; an iteratee is a function, the name of a field, or a map to match.
 */
export const UNDERSCORE = String.raw`
globalThis._ = (function () {
  var isList = Array.isArray;
  var isMap = function (v) { return typeof v === "object" && v !== null && !isList(v); };
  var entries = function (c) {
    if (c === null || c === undefined) return [];
    if (isList(c) || typeof c === "string") return Array.from(c, function (v, i) { return [i, v]; });
    return Object.entries(c);
  };
  var has = function (o, k) { return o !== null && o !== undefined && Object.prototype.hasOwnProperty.call(o, k); };
  var matcher = function (props) {
    return function (o) { return Object.keys(props || {}).every(function (k) { return o !== null && o !== undefined && _.isEqual(o[k], props[k]); }); };
  };
  var property = function (path) {
    return function (o) {
      return [].concat(path).reduce(function (v, k) { return v === null || v === undefined ? undefined : v[k]; }, o);
    };
  };
  var iteratee = function (f) {
    if (f === undefined || f === null) return function (v) { return v; };
    if (typeof f === "function") return f;
    return isMap(f) ? matcher(f) : property(f);
  };
  var compare = function (a, b) { return a < b || b === undefined ? -1 : a > b || a === undefined ? 1 : 0; };
  var grouped = function (add) {
    return function (c, f) {
      var result = {};
      f = iteratee(f);
      entries(c).forEach(function (e) { add(result, f(e[1], e[0], c), e[1]); });
      return result;
    };
  };
  var extreme = function (sign) {
    return function (c, f) {
      var best, bestKey;
      f = iteratee(f);
      entries(c).forEach(function (e) {
        var key = f(e[1], e[0], c);
        if (bestKey === undefined || compare(key, bestKey) * sign > 0) { best = e[1]; bestKey = key; }
      });
      return bestKey === undefined ? sign * -Infinity : best;
    };
  };
  var kept = function (names, f) {
    names = names.flat(Infinity);
    return typeof names[0] === "function" ? names[0] : function (v, k) { return names.indexOf(k) >= 0; };
  };
  var _ = {
    each: function (c, f) { entries(c).forEach(function (e) { f(e[1], e[0], c); }); return c; },
    map: function (c, f) { f = iteratee(f); return entries(c).map(function (e) { return f(e[1], e[0], c); }); },
    reduce: function (c, f, start) {
      var all = entries(c);
      if (arguments.length < 3) start = (all.shift() || [])[1];
      return all.reduce(function (memo, e) { return f(memo, e[1], e[0], c); }, start);
    },
    filter: function (c, f) { f = iteratee(f); return entries(c).filter(function (e) { return f(e[1], e[0], c); }).map(function (e) { return e[1]; }); },
    reject: function (c, f) { f = iteratee(f); return _.filter(c, function (v, k) { return !f(v, k, c); }); },
    find: function (c, f) { f = iteratee(f); return (entries(c).find(function (e) { return f(e[1], e[0], c); }) || [])[1]; },
    findIndex: function (l, f) { return Array.from(l || []).findIndex(iteratee(f)); },
    every: function (c, f) { f = iteratee(f); return entries(c).every(function (e) { return f(e[1], e[0], c); }); },
    some: function (c, f) { f = iteratee(f); return entries(c).some(function (e) { return f(e[1], e[0], c); }); },
    contains: function (c, v) { return _.values(c).indexOf(v) >= 0; },
    where: function (c, props) { return _.filter(c, matcher(props)); },
    findWhere: function (c, props) { return _.find(c, matcher(props)); },
    pluck: function (c, name) { return _.map(c, property(name)); },
    invoke: function (c, name) {
      var args = Array.prototype.slice.call(arguments, 2);
      return _.map(c, function (v) { return v[name].apply(v, args); });
    },
    max: extreme(1),
    min: extreme(-1),
    sortBy: function (c, f) {
      f = iteratee(f);
      return entries(c).map(function (e) { return { v: e[1], k: f(e[1], e[0], c) }; })
        .sort(function (a, b) { return compare(a.k, b.k); }).map(function (x) { return x.v; });
    },
    groupBy: grouped(function (r, k, v) { (has(r, k) ? r[k] : (r[k] = [])).push(v); }),
    indexBy: grouped(function (r, k, v) { r[k] = v; }),
    countBy: grouped(function (r, k) { r[k] = (has(r, k) ? r[k] : 0) + 1; }),
    partition: function (c, f) { f = iteratee(f); return [_.filter(c, f), _.reject(c, f)]; },
    size: function (c) { return entries(c).length; },
    toArray: function (c) { return entries(c).map(function (e) { return e[1]; }); },
    first: function (l, n) { return n === undefined ? (l || [])[0] : (l || []).slice(0, n); },
    last: function (l, n) { return n === undefined ? (l || [])[(l || []).length - 1] : (l || []).slice(-n); },
    initial: function (l, n) { return l.slice(0, l.length - (n === undefined ? 1 : n)); },
    rest: function (l, n) { return l.slice(n === undefined ? 1 : n); },
    compact: function (l) { return _.filter(l, Boolean); },
    flatten: function (l, shallow) { return l.flat(shallow ? 1 : Infinity); },
    without: function (l) { return _.difference(l, Array.prototype.slice.call(arguments, 1)); },
    union: function () { return _.uniq(Array.prototype.concat.apply([], arguments)); },
    intersection: function (l) {
      var others = Array.prototype.slice.call(arguments, 1);
      return _.uniq(l).filter(function (v) { return others.every(function (o) { return o.indexOf(v) >= 0; }); });
    },
    difference: function (l) {
      var others = Array.prototype.concat.apply([], Array.prototype.slice.call(arguments, 1));
      return l.filter(function (v) { return others.indexOf(v) < 0; });
    },
    uniq: function (l, f) {
      var seen = new Set();
      f = iteratee(f);
      return l.filter(function (v, i) { var k = f(v, i, l); return !seen.has(k) && seen.add(k); });
    },
    zip: function () {
      var lists = Array.from(arguments);
      return _.range(Math.max.apply(null, lists.map(_.size).concat(0))).map(function (i) { return lists.map(function (l) { return l[i]; }); });
    },
    object: function (l, values) {
      var r = {};
      l.forEach(function (k, i) { if (values) r[k] = values[i]; else r[k[0]] = k[1]; });
      return r;
    },
    indexOf: function (l, v) { return l.indexOf(v); },
    range: function (start, stop, step) {
      if (stop === undefined) { stop = start || 0; start = 0; }
      step = step || (stop < start ? -1 : 1);
      return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, function (v, i) { return start + i * step; });
    },
    keys: function (o) { return Object.keys(o || {}); },
    values: function (o) { return entries(o).map(function (e) { return e[1]; }); },
    pairs: function (o) { return Object.entries(o || {}); },
    mapObject: function (o, f) {
      f = iteratee(f);
      return _.object(_.pairs(o).map(function (p) { return [p[0], f(p[1], p[0], o)]; }));
    },
    invert: function (o) { return _.object(_.pairs(o).map(function (p) { return [p[1], p[0]]; })); },
    extend: function () { return Object.assign.apply(Object, arguments); },
    defaults: function (o) {
      Array.prototype.slice.call(arguments, 1).forEach(function (d) {
        _.keys(d).forEach(function (k) { if (o[k] === undefined) o[k] = d[k]; });
      });
      return o;
    },
    pick: function (o) { var f = kept(Array.prototype.slice.call(arguments, 1)); return _.object(_.pairs(o).filter(function (p) { return f(p[1], p[0], o); })); },
    omit: function (o) { var f = kept(Array.prototype.slice.call(arguments, 1)); return _.object(_.pairs(o).filter(function (p) { return !f(p[1], p[0], o); })); },
    clone: function (v) { return isList(v) ? v.slice() : isMap(v) ? Object.assign({}, v) : v; },
    has: has,
    get: function (o, path, other) { var v = property(path)(o); return v === undefined ? other : v; },
    property: property,
    matcher: matcher,
    identity: function (v) { return v; },
    constant: function (v) { return function () { return v; }; },
    times: function (n, f) { return _.range(n).map(function (i) { return f(i); }); },
    isEqual: function (a, b) {
      if (a === b || (a !== a && b !== b)) return true;
      if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || isList(a) !== isList(b)) return false;
      var keys = Object.keys(a);
      return keys.length === Object.keys(b).length && keys.every(function (k) { return has(b, k) && _.isEqual(a[k], b[k]); });
    },
    isEmpty: function (v) { return entries(v).length === 0; },
    isArray: isList,
    isObject: function (v) { return (typeof v === "object" && v !== null) || typeof v === "function"; },
    isFunction: function (v) { return typeof v === "function"; },
    isString: function (v) { return typeof v === "string"; },
    isNumber: function (v) { return typeof v === "number"; },
    isBoolean: function (v) { return typeof v === "boolean"; },
    isNull: function (v) { return v === null; },
    isUndefined: function (v) { return v === undefined; },
    isNaN: function (v) { return typeof v === "number" && v !== v; },
    escape: function (s) {
      return String(s).replace(/[&<>"'${"`"}]/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
    },
    chain: function (v) {
      var wrapped = { value: function () { return v; } };
      Object.keys(_).forEach(function (name) {
        if (name !== "chain") wrapped[name] = function () { return _.chain(_[name].apply(_, [v].concat(Array.from(arguments)))); };
      });
      return wrapped;
    }
  };
  _.forEach = _.each;
  _.collect = _.map;
  _.foldl = _.inject = _.reduce;
  _.select = _.filter;
  _.detect = _.find;
  _.all = _.every;
  _.any = _.some;
  _.include = _.includes = _.contains;
  _.head = _.first;
  _.tail = _.rest;
  _.unique = _.uniq;
  _.assign = _.extend;
  return _;
})();
`;
