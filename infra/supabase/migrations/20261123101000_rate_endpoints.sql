-- Rates of an organisation's own for the functions that came later, too.
alter table public.rate_limits drop constraint rate_limits_door_check;
alter table public.rate_limits add constraint rate_limits_door_check
  check (door in ('chat', 'tools', 'transcribe', 'export', 'conversations', 'summarize', 'feedback', 'uploads', 'mcp',
    'intents', 'users', 'projects'));
