// What a form offers for arguments that take a code: what the tool that lists
// such things finds. A list that cannot be had leaves a field to type in.

const age = 60_000; // milliseconds for which a list is not read again

export class Choices {
  #tools;
  #list;
  #now;
  #found = new Map(); // tool → {at, options}

  // tools names the listing tool for each argument; list(tool) runs it.
  constructor(tools, list, now = Date.now) {
    this.#tools = tools;
    this.#list = list;
    this.#now = now;
  }

  // of returns the options for the arguments of a schema, by name: [{value,
  // label}].
  async of(schema) {
    const wanted = [...names(schema)].filter((name) => Object.hasOwn(this.#tools, name));
    const lists = await Promise.all(wanted.map((name) => this.#options(this.#tools[name])));
    return Object.fromEntries(wanted.map((name, i) => [name, lists[i]]).filter(([, options]) => options.length > 0));
  }

  async #options(tool) {
    const known = this.#found.get(tool);
    if (known && this.#now() - known.at < age) return known.options;
    const options = this.#list(tool).then(
      ({ table }) => optionsOf(table),
      () => [],
    );
    this.#found.set(tool, { at: this.#now(), options });
    return options;
  }
}

// names are those of all arguments of a schema, inner ones too.
function names(schema, into = new Set()) {
  for (const [name, part] of Object.entries(schema?.properties ?? {})) {
    into.add(name);
    names(part, into);
    names(part?.items, into);
  }
  return into;
}

function optionsOf(table) {
  const at = (key) => table?.columns?.findIndex((c) => c.key === key) ?? -1;
  const [code, name] = [at('code'), at('name')];
  if (code < 0) return [];
  return table.rows.map((row) => ({
    value: row[code],
    label: name < 0 || row[name] === row[code] ? row[code] : `${row[name]} (${row[code]})`,
  }));
}
