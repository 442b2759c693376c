package rest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

const columnsSQL = `
select c.oid::int8, n.nspname::text, c.relname::text, c.relkind in ('v','m'),
  pg_relation_is_updatable(c.oid, true)::int,
  coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attnum is not null), '{}'),
  array_agg(a.attnum order by a.attnum) filter (where a.attnum is not null),
  array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) filter (where a.attnum is not null),
  array_agg(case when t.typtype = 'd' then (
    with recursive under(oid) as (
      select t.oid union all select p.typbasetype from pg_type p join under on p.oid = under.oid where p.typtype = 'd')
    select format_type(p.oid, null) from under join pg_type p on p.oid = under.oid where p.typtype <> 'd')
    else format_type(t.oid, null) end order by a.attnum) filter (where a.attnum is not null),
  array_agg(case when a.attidentity <> '' then format('nextval(%L)', pg_get_serial_sequence(c.oid::regclass::text,
  	a.attname))
                 when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), case when t.typtype = 'd'
                 	then pg_get_expr(t.typdefaultbin, 0) end, '')
                 else '' end order by a.attnum) filter (where a.attnum is not null)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where c.relkind in ('r','v','m','f','p') and n.nspname not in ('pg_catalog','information_schema') and n.nspname !~
	'^pg_(temp|toast)'
group by c.oid, n.nspname, c.relname, c.relkind
order by 2, 3`

const constraintsSQL = `
select con.conname::text, con.contype::text, con.conrelid::int8, con.confrelid::int8,
  array(select a.attname::text from unnest(con.conkey) with ordinality k(n, o) join pg_attribute a on a.attrelid =
  	con.conrelid and a.attnum = k.n order by o),
  array(select a.attname::text from unnest(con.confkey) with ordinality k(n, o) join pg_attribute a on a.attrelid =
  	con.confrelid and a.attnum = k.n order by o)
from pg_constraint con
join pg_namespace n on n.oid = con.connamespace
where con.contype in ('p','u','f') and con.conparentid = 0 and n.nspname not in ('pg_catalog','information_schema')
order by con.conname, con.conrelid`

const uniqueIndexesSQL = `
select i.indrelid::int8,
  array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k(n, o) join pg_attribute a on
  	a.attrelid = i.indrelid and a.attnum = k.n order by o)
from pg_index i
where i.indisunique and i.indpred is null and i.indexprs is null and i.indnkeyatts = i.indnatts`

const viewsSQL = `
select r.ev_class::int8, r.ev_action::text
from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
where r.rulename = '_RETURN' and c.relkind in ('v','m') and n.nspname not in ('pg_catalog','information_schema')`

const functionsSQL = `
select n.nspname::text, p.proname::text, p.provolatile::text, p.proretset, p.provariadic <> 0, p.prorows::float8,
  coalesce(p.proargnames::text[], '{}'), coalesce(p.proargmodes::text[], '{}'),
  array(select format_type(t, null) from unnest(p.proargtypes::oid[]) with ordinality u(t, o) order by o),
  p.pronargdefaults::int, format_type(p.prorettype, null),
  coalesce(bt.typtype, rt.typtype) = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false),
  coalesce(rn.nspname::text, ''), coalesce(rc.relname::text, ''),
  coalesce((select split_part(s, '=', 2) from unnest(p.proconfig) s where s like 'statement_timeout=%' limit 1), ''),
  case when rt.typtype = 'd' and rt.typname ~ '^[^/]+/[^/]+$' then rt.typname::text else '' end, coalesce(bt.typname,
  	'') = 'bytea'
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_type rt on rt.oid = p.prorettype
left join pg_type bt on bt.oid = rt.typbasetype
left join pg_class rc on rc.oid = coalesce(nullif(bt.typrelid, 0), nullif(rt.typrelid, 0)) and rc.relkind <> 'c'
left join pg_namespace rn on rn.oid = rc.relnamespace
where p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype) and n.nspname = any($1)
order by 1, 2, p.oid`

// roleSettingsSQL reads what PostgREST applies per transaction: the settings of
// each role that the connecting role may become, as far as it may set them.
const roleSettingsSQL = `
with kv as (
  select r.rolname::text as role, lower(split_part(s.line, '=', 1)) as name, substr(s.line, strpos(s.line, '=') + 1)
  	as value
  from pg_roles r, unnest(r.rolconfig) s(line)
  where pg_has_role(current_user, r.oid, 'member'))
select kv.role, kv.name, kv.value from kv join pg_settings p on p.name = kv.name
where p.context = 'user' or (current_setting('server_version_num')::int >= 150000 and has_parameter_privilege(p.name,
	'set'))
order by 1, 2`

// configSQL reads the connecting role's own settings; those of this database win.
const configSQL = `
select split_part(line, '=', 1), substr(line, strpos(line, '=') + 1)
from (select setdatabase, unnest(setconfig) as line from pg_db_role_setting
      where setrole = session_user::regrole::oid and setdatabase in (0, (select oid from pg_database where datname =
      	current_database()))) s
where line like 'pgrst.%' order by setdatabase`

// loadCatalogue reads everything in one read-only transaction. With an empty
// search_path all types and defaults come out schema-qualified.
func loadCatalogue(ctx context.Context, tx pgx.Tx, schemas []string) (*catalogue, error) {
	// Compiling these queries takes longer than running them.
	for _, sql := range []string{"set local search_path = ''", "set local jit = off"} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return nil, err
		}
	}
	l := &loader{ctx: ctx, tx: tx, schemas: schemas, byOID: map[uint32]*table{}}
	l.out = &catalogue{
		tables: map[name2]*table{}, relations: map[name2][]*relationship{},
		functions: map[name2][]*function{}, zones: map[string]bool{}, settings: map[string][]setting{},
	}
	for what, step := range l.steps() {
		if err := step(); err != nil {
			return nil, fmt.Errorf("read %s: %w", what, err)
		}
	}
	return l.out, nil
}

type loader struct {
	ctx     context.Context
	tx      pgx.Tx
	schemas []string
	byOID   map[uint32]*table
	foreign []*relationship // many-to-one, between tables, as declared
	origins map[uint32]map[int16]origin
	out     *catalogue
}

// steps yields what is read, in the order in which the parts need each other.
func (l *loader) steps() func(func(string, func() error) bool) {
	return func(yield func(string, func() error) bool) {
		_ = yield("tables", l.columns) && yield("constraints", l.constraints) &&
			yield("unique indexes", l.uniqueIndexes) &&
			yield("views", l.views) && yield("functions", l.functions) && yield("relationships", l.relationships) &&
			yield("role settings", l.roleSettings) && yield("time zones", l.zones)
	}
}

func (l *loader) exposed(schema string) bool { return slices.Contains(l.schemas, schema) }

// each runs fn for every row; scan targets are given once and reused.
func (l *loader) each(sql string, args []any, targets []any, fn func() error) error {
	rows, err := l.tx.Query(l.ctx, sql, args...)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, targets, fn)
	return err
}

func (l *loader) columns() error {
	var oid int64
	var schema, name string
	var view bool
	var updatable int
	var names, kinds, bases, presets []string
	var numbers []int16
	return l.each(columnsSQL, nil, []any{&oid, &schema, &name, &view, &updatable, &names, &numbers, &kinds, &bases,
		&presets}, func() error {
		t := &table{name2: name2{schema, name}, oid: uint32(oid), view: view, byName: map[string]*column{}}
		// The bits are those of information_schema: 4 update, 8 insert, 16 delete.
		t.updatable, t.insertable, t.deletable = updatable&4 != 0, updatable&8 != 0, updatable&16 != 0
		for i, n := range names {
			c := &column{name: n, number: numbers[i], kind: kinds[i], base: bases[i], preset: presets[i]}
			t.columns = append(t.columns, c)
			t.byName[n] = c
		}
		l.byOID[t.oid] = t
		if l.exposed(schema) {
			l.out.tables[t.name2] = t
		}
		return nil
	})
}

func (l *loader) constraints() error {
	var name, kind string
	var oid, target int64
	var from, to []string
	return l.each(constraintsSQL, nil, []any{&name, &kind, &oid, &target, &from, &to}, func() error {
		t := l.byOID[uint32(oid)]
		if t == nil {
			return nil
		}
		switch kind {
		case "p":
			t.primary = slices.Clone(from)
		case "u":
			t.uniques = append(t.uniques, slices.Clone(from))
		case "f":
			other := l.byOID[uint32(target)]
			if other == nil {
				return nil
			}
			r := &relationship{from: t, to: other, kind: manyToOne, constraint: name, self: t == other}
			for i := range from {
				r.pairs = append(r.pairs, columnPair{from[i], to[i]})
			}
			l.foreign = append(l.foreign, r)
		}
		return nil
	})
}

func (l *loader) uniqueIndexes() error {
	var oid int64
	var names []string
	return l.each(uniqueIndexesSQL, nil, []any{&oid, &names}, func() error {
		if t := l.byOID[uint32(oid)]; t != nil {
			t.uniques = append(t.uniques, slices.Clone(names))
		}
		return nil
	})
}

func (l *loader) functions() error {
	var f function
	var names, modes, kinds []string
	var defaults int
	var composite bool
	targets := []any{&f.schema, &f.name, &f.volatile, &f.setOf, &f.variadic, &f.rows, &names, &modes, &kinds,
		&defaults,
		&f.kind, &composite, &f.table.schema, &f.table.name, &f.timeout, &f.media, &f.binary}
	return l.each(functionsSQL, []any{l.schemas}, targets, func() error {
		fn := f
		fn.params = nil
		fn.void = fn.kind == "void"
		fn.scalar = !composite
		inputs := names
		if len(modes) > 0 {
			inputs = nil
			for i, m := range modes {
				if strings.Contains("ibv", m) && i < len(names) {
					inputs = append(inputs, names[i])
				}
			}
		}
		for i, kind := range kinds {
			p := parameter{kind: kind, required: i < len(kinds)-defaults, variadic: fn.variadic && i == len(kinds)-1}
			if i < len(inputs) {
				p.name = inputs[i]
			}
			fn.params = append(fn.params, p)
		}
		fn.unnamed = len(fn.params) == 1 && fn.params[0].name == ""
		l.out.functions[fn.name2] = append(l.out.functions[fn.name2], &fn)
		return nil
	})
}

func (l *loader) roleSettings() error {
	var role, name, value string
	return l.each(roleSettingsSQL, nil, []any{&role, &name, &value}, func() error {
		l.out.settings[role] = append(l.out.settings[role], setting{name, value})
		return nil
	})
}

func (l *loader) zones() error {
	var name string
	return l.each("select name from pg_timezone_names", nil, []any{&name}, func() error {
		l.out.zones[name] = true
		return nil
	})
}
