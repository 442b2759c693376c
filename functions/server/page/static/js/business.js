// The profile of a business: which fields it has, and what is sent. No view here.

// profileFields are the fields of the form, in their order.
export const profileFields = [
  { name: 'name', label: 'Name', required: true, maxlength: 120, autocomplete: 'organization' },
  {
    name: 'trade',
    label: 'Trade',
    maxlength: 60,
    autocomplete: 'off',
    help: 'What you do, in a word: joiner, tiler.',
  },
  { name: 'city', label: 'Where you work', maxlength: 60, autocomplete: 'off' },
  { name: 'about', label: 'About', rows: 4, maxlength: 600 },
  { name: 'phone', label: 'Phone', maxlength: 40, type: 'tel', autocomplete: 'tel' },
  {
    name: 'whatsApp',
    label: 'WhatsApp',
    maxlength: 40,
    type: 'tel',
    autocomplete: 'off',
    help: 'With the code of the country: +44 7700 900123.',
  },
  { name: 'email', label: 'E-mail', maxlength: 200, type: 'email', autocomplete: 'email' },
  { name: 'website', label: 'Website', maxlength: 200, inputmode: 'url', autocomplete: 'url' },
  {
    name: 'site',
    label: 'Address of your pages',
    maxlength: 60,
    required: true,
    pattern: '[a-z0-9]+(-[a-z0-9]+)*',
    autocomplete: 'off',
    help: 'Your pages are at /p/ and this: small letters, figures and hyphens.',
  },
];

// changedProfile is the profile as it is sent: whole, without spaces around, and with the
// number of WhatsApp in digits.
export function changedProfile(profile, values, logo) {
  const out = {
    ...profile,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])),
    logo,
  };
  out.whatsApp = digits(out.whatsApp ?? '');
  if (out.website && !/^[a-z]+:/i.test(out.website)) out.website = `https://${out.website}`;
  delete out.logoSizes;
  return out;
}

// digits are those of a telephone number, without the zeros or the plus that stand for
// "abroad".
export function digits(number) {
  return number.replace(/\D/g, '').replace(/^00/, '');
}

// siteOf makes a part of an address of a name: "Dale Joinery & Sons" is
// "dale-joinery-sons".
export function siteOf(name) {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}
