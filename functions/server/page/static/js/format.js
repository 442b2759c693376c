// duration shows milliseconds as people say them: "40 ms", "1.2 s", "2 min 5 s".
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.round(ms / 1000);
  return `${Math.floor(s / 60)} min ${s % 60} s`;
}

// clock shows milliseconds as "9:05".
export function clock(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}

// initials returns one or two letters for a name.
export function initials(name) {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((w) => Array.from(w)[0].toUpperCase()).join('') || '?';
}

const day = 86_400_000;

// ago shows when something was, as short as it can be understood: "now",
// "5 min", "14:05", "Yesterday", "Tue", "12 Nov", "12 Nov 2025". Both times are
// milliseconds.
export function ago(then, now) {
  const past = Math.max(0, now - then);
  if (past < 60_000) return 'now';
  if (past < 3_600_000) return `${Math.floor(past / 60_000)} min`;
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const show = (form) => new Date(then).toLocaleString('en-GB', form);
  if (then >= midnight) return show({ hour: '2-digit', minute: '2-digit' });
  if (then >= midnight - day) return 'Yesterday';
  if (then >= midnight - 6 * day) return show({ weekday: 'short' });
  const year = new Date(then).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' };
  return show({ day: 'numeric', month: 'short', ...year });
}

// dayOf names the day or the time of something in a list: "Today", "Yesterday",
// "Friday", "October", "October 2025". Both times are milliseconds.
export function dayOf(then, now) {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const show = (form) => new Date(then).toLocaleString('en-GB', form);
  if (then >= midnight) return 'Today';
  if (then >= midnight - day) return 'Yesterday';
  if (then >= midnight - 6 * day) return show({ weekday: 'long' });
  const year = new Date(then).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' };
  return show({ month: 'long', ...year });
}
