-- Who may do what with files: in the bucket "papers" people have a folder each,
-- called by their id. The tables are those of Storage itself.

create policy own_folder on storage.objects to authenticated
  using (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.uid())::text);
