import { h, icon, button } from '../dom.js';
import { initials } from '../format.js';
import { SignInError } from '../auth.js';

const roles = {
  admin: 'Sees and changes everything',
  manager: 'Runs the day to day',
  viewer: 'May look, not change',
};

// signInView asks who is there. demo lists the people of a development server,
// each with one click; without them it asks for e-mail and password.
// signedIn is called after success. message says why one has to sign in again.
export function signInView({ auth, demo, message, signedIn }) {
  const alert = h('p', { class: 'signin-alert', role: 'alert', hidden: !message }, message ?? '');
  const controls = () => view.querySelectorAll('button, input');
  const enter = async (email, password, target) => {
    if (target.dataset.busy) return;
    target.dataset.busy = 'true';
    controls().forEach((c) => (c.disabled = true));
    alert.hidden = true;
    try {
      await auth.signIn(email, password);
      signedIn();
    } catch (error) {
      alert.textContent = error instanceof SignInError ? error.message : 'Signing in did not work. Please try again.';
      alert.hidden = false;
      controls().forEach((c) => (c.disabled = false));
      target.focus();
    }
    delete target.dataset.busy;
  };
  const form = passwordForm(enter);
  const view = h(
    'main',
    { class: 'signin' },
    h(
      'div',
      { class: 'signin-card' },
      h('div', { class: 'signin-brand' }, h('span', { class: 'brand-mark' }, icon('bell')), h('h1', {}, 'Bellhop')),
      h(
        'p',
        { class: 'signin-lead' },
        demo ? 'Choose who you are to try it with demo data.' : 'Sign in to your property.',
      ),
      alert,
      demo ? people(demo, enter) : null,
      demo
        ? h(
            'details',
            { class: 'signin-other', ontoggle: (e) => e.target.open && form.querySelector('input').focus() },
            h('summary', {}, 'Use another account'),
            form,
          )
        : form,
    ),
  );
  return view;
}

function people(users, enter) {
  const orgs = Map.groupBy ? Map.groupBy(users, (u) => u.org) : group(users);
  return [...orgs].map(([org, members]) =>
    h(
      'section',
      { class: 'people' },
      h('h2', {}, org),
      h(
        'ul',
        {},
        members.map((u) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', class: 'person', onclick: (e) => enter(u.email, u.password, e.currentTarget) },
              h('span', { class: 'avatar' }, initials(u.name || u.email)),
              h(
                'span',
                { class: 'person-text' },
                h('strong', {}, u.name || u.email),
                h('span', {}, roles[u.role] ?? u.email),
              ),
              h('span', { class: 'role' }, u.role),
              icon('arrow'),
            ),
          ),
        ),
      ),
    ),
  );
}

function group(users) {
  const found = new Map();
  for (const u of users) found.set(u.org, [...(found.get(u.org) ?? []), u]);
  return found;
}

function passwordForm(enter) {
  const email = h('input', { id: 'email', class: 'field', type: 'email', autocomplete: 'username', required: true });
  const password = h('input', {
    id: 'password',
    class: 'field',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const submit = button('Sign in', { class: 'primary wide', type: 'submit' });
  return h(
    'form',
    {
      class: 'signin-form',
      onsubmit: (e) => {
        e.preventDefault();
        enter(email.value.trim(), password.value, submit);
      },
    },
    h('label', { for: 'email' }, 'E-mail'),
    email,
    h('label', { for: 'password' }, 'Password'),
    password,
    submit,
  );
}
