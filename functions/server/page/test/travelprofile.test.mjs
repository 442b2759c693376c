import test from 'node:test';
import assert from 'node:assert/strict';
import {
  entries,
  lacks,
  moment,
  nameOf,
  passportWords,
  preferenceChanges,
  preferenceFields,
  price,
  shownValue,
  travellerOf,
  valueOf,
  wrongFields,
} from '../static/js/travelprofile.js';

const values = {
  title: 'mr',
  gender: 'm',
  givenName: ' Arun ',
  familyName: 'Mehta',
  bornOn: '1984-05-06',
  email: 'arun@ashgrove.example',
  phone: '+44 7700 900123',
  'passport.number': '',
  'passport.country': '',
  'passport.expires': '',
};
const plain = {
  title: 'mr',
  gender: 'm',
  givenName: 'Arun',
  familyName: 'Mehta',
  bornOn: '1984-05-06',
  email: 'arun@ashgrove.example',
  phone: '+44 7700 900123',
};

test('a traveller is sent whole, with a passport only where something of it is known', () => {
  assert.deepEqual(travellerOf(values, { self: true }), { ...plain, self: true, passport: null });
  assert.deepEqual(travellerOf({ ...values, 'passport.number': '••42', 'passport.country': 'gb' }, { version: 3 }), {
    ...plain,
    self: false,
    passport: { number: '••42', country: 'GB', expires: '' },
    version: 3,
  });
});

test('a traveller is read by the names of the fields', () => {
  const traveller = { ...plain, passport: { number: '••42', country: 'GB', expires: '2031-03-04' } };
  assert.deepEqual(
    ['givenName', 'passport.country', 'passport.none', 'none'].map((n) => valueOf(traveller, n)),
    ['Arun', 'GB', '', ''],
  );
  assert.equal(valueOf({ passport: null }, 'passport.number'), '');
  assert.equal(passportWords(traveller.passport), 'Passport ••42, GB, until 4 Mar 2031');
  assert.equal(passportWords(null), '');
  assert.deepEqual(
    [nameOf(traveller), nameOf({ code: 'PAX-2' }), nameOf({ familyName: 'मेहता' })],
    ['Arun Mehta', 'PAX-2', 'मेहता'],
  );
  assert.deepEqual([lacks(traveller), lacks({ ...plain, phone: '', gender: '' })], [[], ['gender', 'phone']]);
});

test('what a refusal says is said at its field', () => {
  assert.deepEqual(
    [...wrongFields({ fields: [{ field: 'bornOn', text: 'Not in the future.' }] })],
    [['bornOn', 'Not in the future.']],
  );
  assert.equal(wrongFields(new Error('x')).size, 0);
});

const liked = {
  preferredAirlines: ['TAP', 'BA'],
  preferredCabinClass: 'economy',
  preferredHotelChains: [],
  dietaryRestrictions: null,
  accessibilityNeeds: [],
  travelInterests: [],
  homeAirport: 'LHR',
  budgetPreferences: { flights: 'economy', accommodations: 'premium', activities: '' },
  learn: false,
  keepSearches: true,
};
const written = Object.fromEntries(preferenceFields.map((f) => [f.name, shownValue(liked, f)]));

test('only what was changed of preferences is sent', () => {
  assert.equal(written.preferredAirlines, 'TAP, BA');
  assert.deepEqual(preferenceChanges(liked, { ...written, learn: false, keepSearches: true }), {});
  assert.deepEqual(
    preferenceChanges(liked, {
      ...written,
      homeAirport: 'blr',
      preferredAirlines: 'TAP; ba, TAP,, Air  India',
      dietaryRestrictions: 'vegetarian',
      preferredCabinClass: '',
      learn: true,
    }),
    {
      homeAirport: 'BLR',
      preferredAirlines: ['TAP', 'ba', 'Air India'],
      dietaryRestrictions: ['vegetarian'],
      preferredCabinClass: '',
      learn: true,
    },
  );
  // A budget goes whole, since it is one member.
  assert.deepEqual(
    preferenceChanges(liked, {
      ...written,
      'budgetPreferences.activities': 'luxury',
      'budgetPreferences.flights': '',
    }),
    { budgetPreferences: { flights: '', accommodations: 'premium', activities: 'luxury' } },
  );
  assert.deepEqual(preferenceChanges({}, { homeAirport: '', preferredAirlines: ' ' }), {});
});

test('entries of a list are read once each', () => {
  assert.deepEqual(entries(' a, b;A\nc  d,,'), ['a', 'b', 'c d']);
});

test('prices and moments are written in their own digits', () => {
  assert.deepEqual(
    [
      price({ amount: 673.4, currency: 'GBP' }),
      price({ amount: 42000, currency: 'JPY' }),
      price(null),
      price({ amount: 1, currency: 'no' }),
    ],
    ['£673.40', 'JP¥42,000', '', '1 no'],
  );
  assert.match(price({ amount: 12.345, currency: 'KWD' }), /12\.345/);
  assert.deepEqual(['2026-12-04T20:30', '2026-12-04T00:00', '2026-12-04', '', undefined].map(moment), [
    'Fri 4 Dec 2026, 20:30',
    'Fri 4 Dec 2026',
    'Fri 4 Dec 2026',
    '',
    '',
  ]);
});
