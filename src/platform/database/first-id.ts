/** Sorts before every id: where a walk through all rows begins. */
export const firstId = '00000000-0000-0000-0000-000000000000';
