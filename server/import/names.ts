/**
 * Names for canaries out of free text: small letters, digits, dots and dashes, as Kubernetes has them. What comes out the
 * same gets a number, in the order of the file, so that the same file gives the same names.
 */
export function uniqueNames(): (words: string) => string {
  const taken = new Set<string>();
  return (words) => {
    const base =
      words
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replace(/[^a-z0-9.]+/g, "-")
        .slice(0, 200)
        .replace(/^[-.]+|[-.]+$/g, "") || "check";
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    return name;
  };
}
