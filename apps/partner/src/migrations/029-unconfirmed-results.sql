-- A success that the provider did not confirm is no longer recorded, because Status showed it and it locked out the confirmed
-- result of another request. Earlier rows of this kind become the request that they were before. A KYC that the lender
-- reviews was ready for the review.

-- A changed snapshot has a higher version (D3 §4.4).
update case_file set snapshot_version = snapshot_version + 1 where case_ref in (select case_ref from case_check
  where not verified and (name, status) in (('kyc', 'APPROVED'), ('mandate', 'ACTIVE'), ('esign', 'COMPLETED')));
update case_check c set status = 'REVIEW_READY' where c.name = 'kyc' and c.status = 'APPROVED' and not c.verified
  and exists (select from case_check r
    where r.case_ref = c.case_ref and r.name = 'lender_kyc_review' and r.status <> 'NOT_REQUIRED');
update case_check set status = 'REQUESTED'
  where not verified and (name, status) in (('kyc', 'APPROVED'), ('mandate', 'ACTIVE'), ('esign', 'COMPLETED'));
