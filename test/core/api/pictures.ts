// Twelve pixels by seven, as base64.

export const png = "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAHAQAAAAAUyZGJAAAADklEQVR42mP4/4EBAwEAjmgNivybp34AAAAASUVORK5CYII=";
export const gif = "R0lGODlhDAAHAIAAABAgQP///ywAAAAADAAHAAACCIyPqcvtD1UBADs=";
export const jpeg =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAHAAwDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQF/8QAHhAAAAYCAwAAAAAAAAAAAAAAAAECAwQRIUEFEnH/xAAUAQEAAAAAAAAAAAAAAAAAAAAB/8QAFREBAQAAAAAAAAAAAAAAAAAAABH/2gAMAwEAAhEDEQA/ANd1rkjnktuQ2mL2TaDLNYvXuxeABof/2Q==";
export const webp =
  "UklGRk4AAABXRUJQVlA4IEIAAADwAQCdASoMAAcABABoJYwC7AaSu8dc3fAA/uKVRcek5ercUQqk8UizUENre9k2yqgGbQz43NgvKFCxhgOaBMAAAAA=";
export const losslessWebp = "UklGRi4AAABXRUJQVlA4TCIAAAAvC4ABAA/wGeb5v1nm/AceFLRtw0AI6AJ/G4iI/ocxesYA";
export const extendedWebp =
  "UklGRmAAAABXRUJQVlA4WAoAAAAAAAAACwAABgAAVlA4IEIAAADwAQCdASoMAAcABABoJYwC7AaSu8dc3fAA/uKVRcek5ercUQqk8UizUENre9k2yqgGbQz43NgvKFCxhgOaBMAAAAA=";

const toBytes = (base64: string) => Buffer.from(base64, "base64");

/** A PNG of another size; its data are those of the small one. */
export function createPng(width: number, height: number): string {
  const bytes = toBytes(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

/** A PNG of so many bytes; what is behind the picture is never looked at. */
export function pngOfBytes(size: number): string {
  const bytes = Buffer.alloc(size, 0x20);
  toBytes(png).copy(bytes);
  return bytes.toString("base64");
}

export const dataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`;
