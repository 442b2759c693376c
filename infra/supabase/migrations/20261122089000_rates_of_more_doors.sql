-- An organisation may have limits of its own at these doors, too.
alter table public.rate_limits drop constraint rate_limits_door_check;
alter table public.rate_limits add constraint rate_limits_door_check
  check (door in ('chat', 'tools', 'transcribe', 'export', 'conversations', 'summarize', 'feedback', 'uploads'));
