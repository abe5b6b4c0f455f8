-- The item that a lender's answers speak of, where it is another than the one that was asked for; and the categories that its
-- catalogue has of its own, each with the one above it, since later answers carry none.
alter table conversation add column parent_item_id text, add column categories jsonb;

-- A credit line since its lender opened it: how much may be drawn, how much is, and since when it is as it is.
alter table offer
  add column line_opened_at timestamptz,
  add column line_limit_paise bigint,
  add column line_utilised_paise bigint,
  add column line_changed_at timestamptz;
