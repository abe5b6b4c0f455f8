-- Digests of the PAN of borrowers whose cases were deleted.
delete from borrower_lock b where not exists (select from case_file c where c.pan_digest = b.pan_digest);
