-- The interest that a part payment saves, by the lender's schedules before and after it; null if they do not tell it.

alter table servicing add column saved_paise bigint;
