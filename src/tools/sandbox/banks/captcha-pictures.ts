/** The characters 7K4MP2, as a bank sends a captcha: a `data:` address. */
export const captcha =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAOYAAABBAQAAAADtCOVAAAABTklEQVR42s3VS07DMBAG4L8KkjcI9wbhGmySq3AMFggbcRCuEm/gGHjHspG6ySLKMH5A08YTIYTUZpNIn+NMZzxT0Mo14hK0N/HmsTm7TkBeMiErTfofFDeruqG1nXtgm9RxzIoDnysRaqwo7YBaVk/h87JyflCXdaxjwCooGpiYSY92pkSfnX6VdWi0rWRt+/uQWFHNSG480Rf+MbxkACpSk7a36Q1XULe3dSVrbz4AI6vnyl3JSmQrb5KGs+bCkvCUlXjpnaz8eoNHWent7zrfObbBT31DVOr9ENWJWuChFZSzobgoZQ2ZJEFTFY6007lJVadtm55ooeOAa0OCeoQDUlbu1UqRoOHA00JTgz3FZjmon00Vt7Ox0cra6Ofv/Rbao9kaSXlwuF5Qngw61/dovHKQI2ycKZIiZknS9BVJ6Vea27Q4+c+lF/Y/+AWZXhLQYJfx4wAAAABJRU5ErkJggg==";

/** The characters 9WH3T, as base64 only: a GIF. */
export const card =
  "R0lGODlhnAA0AIAAABAgQP///ywAAAAAnAA0AAAC/4yPqcvtD6OctNqLs968+w+G4kiW5omm6sq27gvH8kzXK4DnOm5b+7/rNYBB4YRIhP0cyJzx2Cy6olTp81F11paHpkF37YAXWa6mDECMwz6tAr3OxN/pbpU9dCfgesycrMfHc/X3JchRuNeXxyeTyPC4EWk4eHZ4MqlYGZKZadkotsgkGroJSYoiWCfhaWc6gnb6Sjcb0FlHRYuKtesRC1irRnpbS7wa0fp5B3ws2+z6rAthBu2lGc1Z5jw93GvrnVsdJZRovM0bDJVObZ3anU6JbS7pLawKX1EO/o5t36/+T9qQFPrwFQz4DR83hdAS/lK2EOHBiIh6WRlHYt6oYrv7GG5Mo63LC42M5HVEyOwYxoYjT1Jk9jJlO1sA3VGL6dCfM21JPqKEiQkIhThE+VmRySNkG49yhNZkGY/MBZNZ/NSjdxOdykDigq28Fm7pT0dutm4SSpJFsilnAznhh1Pt1RLLKOWEei3ujbnKHhZty9EgXxBrtT706TZrVK14EH+d6jTeRMaNdzLNF9nh5I+VafSUDJdy5xhp8Z4brcQlUM6oUwsOLHFw6w+lF7OejTu37t28e/v+vbsAADs=";

/** The characters 5XA, as an SVG, which can contain a script, so no screen shows it. */
export const drawing =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%3E%3Ctext%20y='20'%3E5XA%3C/text%3E%3C/svg%3E";
