// What the forms of travellers and preferences have, and what is sent. No view here.

import { shortDay } from './travel.js';

// travellerFields are the fields of a traveller's form in their order; passportFields
// those of the document, which may all be left empty.
export const travellerFields = [
  {
    name: 'title',
    label: 'Title',
    options: [
      ['mr', 'Mr'],
      ['mrs', 'Mrs'],
      ['ms', 'Ms'],
      ['miss', 'Miss'],
      ['dr', 'Dr'],
    ],
  },
  {
    name: 'gender',
    label: 'Gender',
    options: [
      ['f', 'Female'],
      ['m', 'Male'],
    ],
    help: 'As in the passport.',
  },
  {
    name: 'givenName',
    label: 'Given names',
    maxlength: 60,
    autocomplete: 'off',
    help: 'Airlines want Latin letters, as in the passport.',
  },
  { name: 'familyName', label: 'Family name', maxlength: 60, autocomplete: 'off' },
  { name: 'bornOn', label: 'Date of birth', type: 'date', min: '1900-01-01', autocomplete: 'off' },
  { name: 'email', label: 'E-mail', type: 'email', maxlength: 120, autocomplete: 'off' },
  {
    name: 'phone',
    label: 'Phone',
    type: 'tel',
    maxlength: 30,
    autocomplete: 'off',
    help: 'With the code of the country: +44 7700 900123.',
  },
];
export const passportFields = [
  { name: 'passport.number', label: 'Number', maxlength: 30, autocomplete: 'off' },
  {
    name: 'passport.country',
    label: 'Country that issued it',
    maxlength: 2,
    autocomplete: 'off',
    help: 'Two letters: GB, IN, US.',
  },
  { name: 'passport.expires', label: 'Expires on', type: 'date', autocomplete: 'off' },
];

// valueOf reads a field of a traveller: 'passport.number'.
export function valueOf(traveller, name) {
  return name.split('.').reduce((part, key) => part?.[key], traveller) ?? '';
}

// travellerOf is a traveller as it is sent. values are those of the fields by name; the
// version is that which was shown, for one that there is already.
export function travellerOf(values, { self = false, version = 0 } = {}) {
  const text = (name) => (values[name] ?? '').trim();
  const plain = Object.fromEntries(travellerFields.map(({ name }) => [name, text(name)]));
  const passport = Object.fromEntries(passportFields.map(({ name }) => [name.split('.')[1], text(name)]));
  passport.country = passport.country.toUpperCase();
  const given = Object.values(passport).some(Boolean);
  return { ...plain, self, passport: given ? passport : null, ...(version > 0 ? { version } : {}) };
}

// nameOf is what a traveller is called in lists; codes are for those without a name.
export function nameOf({ givenName = '', familyName = '', code = '' }) {
  return [givenName, familyName].filter(Boolean).join(' ') || code;
}

// lacks names what a flight needs and is not there; the server decides.
export function lacks(traveller) {
  const needed = [
    ['title', 'title'],
    ['gender', 'gender'],
    ['givenName', 'given names'],
    ['familyName', 'family name'],
    ['bornOn', 'date of birth'],
    ['email', 'e-mail'],
    ['phone', 'phone'],
  ];
  return needed.filter(([name]) => !traveller[name]).map(([, words]) => words);
}

// passportWords says what is known of a passport: "Passport ••12, GB, until 4 Mar 2031".
export function passportWords(passport) {
  if (!passport) return '';
  const until = passport.expires
    ? `until ${new Date(`${passport.expires}T00:00:00Z`).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })}`
    : '';
  return `Passport ${[passport.number, passport.country, until].filter(Boolean).join(', ')}`;
}

// wrongFields are the sentences of a refusal by field.
export function wrongFields(error) {
  return new Map((error.fields ?? []).map(({ field, text }) => [field, text]));
}

// preferenceFields are the fields of what a person likes. Those with list have several
// values, written with commas.
export const preferenceFields = [
  { name: 'homeAirport', label: 'Home airport', maxlength: 3, help: 'Its code or that of its city: LHR, LON.' },
  {
    name: 'preferredCabinClass',
    label: 'Cabin',
    options: [
      ['economy', 'Economy'],
      ['premium_economy', 'Premium economy'],
      ['business', 'Business'],
      ['first', 'First'],
    ],
  },
  { name: 'preferredAirlines', label: 'Airlines', list: true },
  { name: 'preferredHotelChains', label: 'Hotel chains', list: true },
  { name: 'dietaryRestrictions', label: 'Food', list: true, help: 'Vegetarian, no nuts.' },
  { name: 'accessibilityNeeds', label: 'Accessibility', list: true, help: 'Step-free access, help at the airport.' },
  { name: 'travelInterests', label: 'Interests', list: true, help: 'Museums, food, hiking.' },
  {
    name: 'budgetPreferences.flights',
    label: 'Budget for flights',
    maxlength: 40,
    help: 'A word: economy, premium, luxury.',
  },
  { name: 'budgetPreferences.accommodations', label: 'Budget for hotels', maxlength: 40 },
  { name: 'budgetPreferences.activities', label: 'Budget for activities', maxlength: 40 },
];

// switches are what the person allows.
export const switches = [
  {
    name: 'learn',
    label: 'Learn from what I say',
    help: 'Off: you are asked each time before something is remembered.',
  },
  {
    name: 'keepSearches',
    label: 'Keep my searches',
    help: 'Off: they are deleted after the day for which their prices are needed.',
  },
];

// shownValue is the value of a field as it is written into the form.
export function shownValue(preferences, { name, list }) {
  const value = valueOf(preferences, name);
  return list ? (Array.isArray(value) ? value : []).join(', ') : String(value);
}

// entries reads a list that was written with commas or lines: each once.
export function entries(text) {
  const seen = new Set();
  return text
    .split(/[,;\n]/)
    .map((s) => s.trim().replace(/\s+/g, ' '))
    .filter((s) => s && !seen.has(s.toLowerCase()) && seen.add(s.toLowerCase()));
}

// preferenceChanges are the members that differ from what there is: the body of a change.
// values are those of the fields and switches by name.
export function preferenceChanges(before, values) {
  const changes = {};
  for (const field of preferenceFields) {
    const { name, list } = field;
    const now = (values[name] ?? '').trim();
    if (list ? entries(now).join() === entries(shownValue(before, field)).join() : now === shownValue(before, field))
      continue;
    if (name.startsWith('budgetPreferences.'))
      changes.budgetPreferences = {
        flights: '',
        accommodations: '',
        activities: '',
        ...before.budgetPreferences,
        ...changes.budgetPreferences,
        [name.split('.')[1]]: now,
      };
    else changes[name] = list ? entries(now) : name === 'homeAirport' ? now.toUpperCase() : now;
  }
  for (const { name } of switches)
    if (values[name] !== undefined && Boolean(before[name]) !== values[name]) changes[name] = values[name];
  return changes;
}

// subjects are what a decision may be about.
export const subjects = [
  ['flights', 'Flights'],
  ['hotels', 'Hotels'],
  ['activities', 'Activities'],
  ['food', 'Food'],
  ['budget', 'Budget'],
  ['other', 'Other'],
];

// price writes a price in its currency's own digits.
export function price(p) {
  if (!p?.currency) return '';
  try {
    return new Intl.NumberFormat('en-GB', { style: 'currency', currency: p.currency }).format(p.amount);
  } catch {
    return `${p.amount} ${p.currency}`;
  }
}

// moment writes a local date and time: "Fri 4 Dec 2026, 20:30"; the time is left out
// where it is midnight.
export function moment(local) {
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(local ?? '');
  if (!found) return '';
  return `${shortDay(found[1])} ${found[1].slice(0, 4)}${found[2] && found[2] !== '00:00' ? `, ${found[2]}` : ''}`;
}
