-- The network's version that the lender chose with its catalogue; null for the usual version of the product.
alter table conversation add column version text;
