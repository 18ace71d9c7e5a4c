-- The owner of an address is told that somebody tried to register with it (docs/decisions/0104).
alter table internal.courier_messages drop constraint courier_messages_template_check;
alter table internal.courier_messages add constraint courier_messages_template_check
  check (template in ('recovery_code', 'verification_code', 'invitation', 'account_exists'));
