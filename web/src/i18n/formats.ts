/** How a language counts and writes numbers. */

/** Each language's way is asked for once: browsers take long to answer. */
function perLanguage<Rules>(make: (language: string) => Rules): (language: string) => Rules {
  const made = new Map<string, Rules>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}

export const pluralsOf = perLanguage((language) => new Intl.PluralRules(language));
export const numbersOf = perLanguage((language) => new Intl.NumberFormat(language));
export const percentagesOf = perLanguage(
  (language) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }),
);
export const listsOf = perLanguage((language) => new Intl.ListFormat(language, { type: "conjunction" }));
