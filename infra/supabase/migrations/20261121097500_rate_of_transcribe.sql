-- The transcribe door can have a rate of its own, as chat and tools can.
alter table public.rate_limits drop constraint rate_limits_door_check;
alter table public.rate_limits add constraint rate_limits_door_check check (door in ('chat', 'tools', 'transcribe'));
